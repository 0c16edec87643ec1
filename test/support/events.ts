import type { CallStatus, Message, SessionEvent } from 'brooklet';
import {
  type CallOutcome,
  type EventBody,
  eventVersion,
  evolve,
  initialState,
  isEnded,
  type RunOutcome,
  type SessionState,
} from 'brooklet/core';
import fc from 'fast-check';

/** For tests with many runs, on a machine that is busy with other work. */
export const patient = { timeout: 60_000 };

/** Stamps events with their positions in the log, from `after` on, 10 ms apart. */
export function stamp(bodies: readonly EventBody[], after = 0): readonly SessionEvent[] {
  return bodies.map((body, index) => ({
    ...body,
    seq: after + index + 1,
    at: (after + index + 1) * 10,
    v: eventVersion,
  }));
}

/** Freezes a value deeply: any mutation throws. */
export function freeze<T>(value: T): T {
  // A frozen value was frozen by this function, deeply.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
  return value;
}

/** Folds events; the arguments of `evolve` are frozen. */
export function fold(events: readonly SessionEvent[], start: SessionState = initialState('s')): SessionState {
  return events.reduce((state, event) => freeze(evolve(state, freeze(event))), freeze(start));
}

/** Stamps and folds event bodies. */
export function foldBodies(...bodies: readonly EventBody[]): SessionState {
  return fold(stamp(bodies));
}

/** Continues the fold from a state. */
export function foldOn(state: SessionState, ...bodies: readonly EventBody[]): SessionState {
  return fold(stamp(bodies, state.seq), state);
}

export function userMessage(id: string, text = id): Message {
  return { id, role: 'user', content: [{ type: 'text', text }], timestamp: 5 };
}

/** The events before and during the first answer of a session: run `r`, user message `q`, reply `a`. */
export const answering: readonly EventBody[] = [
  { type: 'session.started', sessionId: 's' },
  { type: 'run.started', runId: 'r' },
  { type: 'message.added', message: userMessage('q') },
  { type: 'reply.started', messageId: 'a' },
];

const text = fc.constantFrom('a', 'Well, ', 'so\n', '{"n":', '1}', '漢字', '👩🏽‍🚀', '');
const outcomes = fc.constantFrom<RunOutcome>('completed', 'cancelled', 'limit', 'failed', 'interrupted');
const callOutcomes = fc.constantFrom<CallOutcome>(
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'uncertain',
  'invalid',
);
const runId = fc.constantFrom('r', 'r2');
const callId = fc.constantFrom('c', 'c2');
const messageId = fc.constantFrom('q', 'a', 'm');
const name = fc.constantFrom('add', 'note', '');
const seal = fc.constantFrom(null, 'signature', { by: 'them' });
const input = fc.constantFrom({}, { n: 1 });
const binding = fc.constantFrom('old', 'new');
const message = fc.record({
  id: messageId,
  role: fc.constantFrom('system', 'user', 'assistant'),
  content: text.map((text) => [{ type: 'text', text } as const]),
  timestamp: fc.nat(99),
});

/** An event of a future version. */
export const fromTheFuture = { type: 'session.dreamt', of: 'sheep' } as unknown as EventBody;

const anyDelta = fc.oneof(
  fc.record({ type: fc.constant('text.delta'), text }),
  fc.record({ type: fc.constant('reasoning.delta'), text, provider: seal }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constant('call.delta'), callId, name, text }, { requiredKeys: ['type', 'callId', 'text'] }),
) as fc.Arbitrary<EventBody>;

const anyOther = fc.oneof(
  fc.record({ type: fc.constant('session.started'), sessionId: fc.constant('s') }),
  fc.record({ type: fc.constant('session.renamed'), title: text }),
  fc.record({ type: fc.constant('session.cleared') }),
  fc.record({ type: fc.constant('session.rewound'), messageId }),
  fc.record({ type: fc.constantFrom('message.added', 'message.updated'), message }),
  fc.record({ type: fc.constant('message.added'), message, supersedes: messageId }),
  fc.record({ type: fc.constantFrom('alternative.selected', 'message.removed'), messageId }),
  fc.record({ type: fc.constant('run.started'), runId, resumes: runId }, { requiredKeys: ['type', 'runId'] }),
  fc.record({ type: fc.constant('message.queued'), message, mode: fc.constantFrom('steer', 'queue') }),
  fc.record({ type: fc.constant('message.unqueued'), messageId }),
  fc.record(
    { type: fc.constant('run.ended'), runId, outcome: outcomes, limit: fc.constantFrom('tokens', 'stopWhen') },
    { requiredKeys: ['type', 'runId', 'outcome'] },
  ),
  fc.record({ type: fc.constant('reply.started'), messageId }),
  fc.record({ type: fc.constant('part.added'), part: fc.constant({ type: 'source', url: 'https://example.com' }) }),
  fc.record(
    { type: fc.constant('call.requested'), callId, name, inputText: text, input, provider: seal },
    { requiredKeys: ['type', 'callId', 'name', 'inputText'] },
  ),
  fc.record({
    type: fc.constant('reply.ended'),
    finish: fc.constantFrom('stop', 'length', 'tool-calls'),
    usage: fc.record({ input: fc.nat(9), output: fc.nat(9), cached: fc.nat(2) }, { requiredKeys: ['input', 'output'] }),
  }),
  fc.record(
    {
      type: fc.constant('approval.requested'),
      callId,
      expiresAt: fc.nat(99),
      toolVersion: binding,
      elicitation: input,
    },
    { requiredKeys: ['type', 'callId'] },
  ),
  fc.record(
    {
      type: fc.constant('approval.decided'),
      callId,
      verdict: fc.constantFrom('approved', 'rejected', 'expired'),
      decidedBy: fc.constantFrom('user', 'rule', 'timeout', 'policy'),
      input,
      reason: text,
      answer: fc.constantFrom(null, 'tea', { n: 1 }),
      userName: fc.constant('Ada'),
      rejectionText: text,
      remember: fc.constantFrom('session', 'agent'),
      toolVersion: binding,
    },
    { requiredKeys: ['type', 'callId', 'verdict', 'decidedBy'] },
  ),
  fc.record({ type: fc.constant('rule.revoked'), name }),
  fc.record({ type: fc.constant('call.started'), callId, attempt: fc.constantFrom(1, 2) }),
  fc.record({ type: fc.constant('call.progress'), callId, progress: fc.constantFrom(null, 0.5, { done: 1 }) }),
  fc.record(
    { type: fc.constant('call.ended'), callId, outcome: callOutcomes, output: text },
    { requiredKeys: ['type', 'callId', 'outcome'] },
  ),
  fc.record({
    type: fc.constant('context.compacted'),
    compactionId: fc.constantFrom('f', 'f2'),
    cause: fc.constantFrom('trigger', 'overflow'),
    strategy: text,
    through: messageId,
    tokens: fc.record({ before: fc.nat(9), after: fc.nat(9) }),
    usage: fc.record({ input: fc.nat(9), output: fc.nat(9) }),
  }),
  fc.record({ type: fc.constant('context.restored'), compactionId: fc.constantFrom('f', 'f2') }),
  fc.record({ type: fc.constant('message.pinned'), messageId, pinned: fc.boolean() }),
  fc.record({
    type: fc.constant('reply.refused'),
    error: fc.record({
      type: fc.constant('LLM_SERVICE'),
      code: fc.constant('CONTEXT_OVERFLOW'),
      message: text,
      retryable: fc.boolean(),
    }),
  }),
  fc.constant(fromTheFuture),
) as fc.Arbitrary<EventBody>;

/** Stamps events with positions and times, each `ms` after the one before: plain JSON, as read from a store. */
function inTime(bodies: readonly (readonly [EventBody, ms: number])[]): readonly SessionEvent[] {
  let at = 1_000;
  const events = bodies.map(([body, ms], index) => ({ ...body, seq: index + 1, at: (at += ms), v: eventVersion }));
  const plain: readonly SessionEvent[] = JSON.parse(JSON.stringify(events));
  return plain;
}

/** Any events in any order, valid or not: `evolve` has to accept all of them. */
export const anyEvents: fc.Arbitrary<readonly SessionEvent[]> = fc
  .tuple(
    fc.constantFrom<readonly EventBody[]>([], answering),
    fc.array(fc.oneof({ weight: 3, arbitrary: anyDelta }, { weight: 1, arbitrary: anyOther }), {
      maxLength: 40,
      size: 'max',
    }),
    fc.array(fc.nat(300), { minLength: 1, maxLength: 20 }),
  )
  .map(([begin, bodies, ms]) => inTime([...begin, ...bodies].map((body, index) => [body, ms[index % ms.length] ?? 0])));

/** The possible moves in a session, with their relative frequency. */
const moves = {
  say: 6,
  resume: 6,
  regenerate: 3,
  add: 1,
  queue: 2,
  unqueue: 1,
  admit: 8,
  revoke: 1,
  clear: 1,
  rename: 1,
  update: 1,
  future: 1,
  ask: 20,
  text: 10,
  reason: 4,
  call: 4,
  request: 10,
  part: 1,
  finish: 10,
  check: 20,
  decide: 12,
  start: 20,
  end: 12,
  stop: 2,
  refuse: 8,
  compact: 20,
} as const;

type Move = keyof typeof moves;

interface Play {
  /** Selects one of the possible moves. */
  readonly dice: number;
  readonly text: string;
  readonly ms: number;
}

interface LogOptions {
  /** Moves that are excluded. */
  readonly without?: readonly Move[];
  /** Whether calls that were cut off start again. */
  readonly idempotent?: boolean;
  /** Whether the provider refuses requests as too long, and the agent compacts the conversation then. Default: yes. */
  readonly refusals?: boolean;
}

/** Events that a session, its run and its people can cause, in a possible order: a log as read from a store. */
export function eventLogs({ without = [], idempotent = false, refusals = true }: LogOptions = {}): fc.Arbitrary<
  readonly SessionEvent[]
> {
  const excluded: readonly Move[] = refusals ? without : [...without, 'refuse', 'compact'];
  const play: fc.Arbitrary<Play> = fc.record({
    dice: fc.nat(1_000_000),
    text: text.map((text) => text || '…'),
    ms: fc.nat(300),
  });
  return fc.array(play, { maxLength: 60, size: 'max' }).map((plays) => inTime(toBodies(plays, excluded, idempotent)));
}

interface Shown {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly calls: Map<string, CallStatus>;
  empty: boolean;
  cut: boolean;
}

/**
 * Plays the chosen moves one after the other. Implements the rules independently, so that tests can compare `evolve`
 * and `next` with it.
 */
function toBodies(
  plays: readonly Play[],
  without: readonly Move[],
  idempotent: boolean,
): readonly (readonly [EventBody, ms: number])[] {
  const bodies: [EventBody, number][] = [[{ type: 'session.started', sessionId: 's' }, 0]];
  let ids = 0;
  let run: { readonly id: string; outcome?: RunOutcome } | undefined;
  let streaming: Shown | undefined;
  let view: Shown[] = [];
  let hidden: Shown[] = [];
  let queue: { readonly message: Message; readonly mode: 'steer' | 'queue' }[] = [];
  const attempts = new Map<string, number>();
  /** Whether the next request is to be compacted first: the provider has refused it. */
  let isTooLong = false;
  /** Whether the last request has been refused: a second refusal ends the run. */
  let isRefused = false;

  const lastCalls = (): Map<string, CallStatus> =>
    view.findLast(({ role }) => role === 'assistant')?.calls ?? new Map<string, CallStatus>();
  const callsIn = (...statuses: readonly CallStatus[]): readonly string[] =>
    [...lastCalls()].filter(([, status]) => statuses.includes(status)).map(([id]) => id);
  const close = (calls: Map<string, CallStatus>, to: (status: CallStatus) => CallStatus): void => {
    for (const [id, status] of calls) if (!isEnded(status)) calls.set(id, to(status));
  };

  /** Approved calls, and calls that may start again because no message has followed them. */
  const startable = (): readonly string[] =>
    callsIn('approved', 'edited', ...(idempotent && view.at(-1)?.role === 'assistant' ? (['uncertain'] as const) : []));
  const turn = (goesOn: boolean): (typeof queue)[number] | undefined =>
    goesOn ? queue.find(({ mode }) => mode === 'steer') : queue[0];

  function possible(): Readonly<Record<Move, boolean>> {
    const goesOn = run !== undefined && run.outcome === undefined;
    const quiet = goesOn && streaming === undefined;
    const last = view.at(-1);
    const answered = last?.role === 'assistant' && !last.cut && last.calls.size === 0;
    const questions = view.some(({ role }) => role === 'user');
    const unchecked = callsIn('requested').length > 0;
    const open = [...lastCalls().values()].some((status) => !isEnded(status));
    const rests = !open && startable().length === 0;
    const steers = queue.some(({ mode }) => mode === 'steer');
    return {
      say: !goesOn,
      resume: run?.outcome !== undefined && run.outcome !== 'completed',
      regenerate: !goesOn && questions,
      add: true,
      queue: goesOn,
      unqueue: queue.length > 0,
      admit: goesOn ? quiet && rests && steers : queue.length > 0,
      revoke: true,
      clear: true,
      rename: true,
      update: questions,
      future: true,
      ask: quiet && rests && !steers && last !== undefined && !answered && !isTooLong,
      text: streaming !== undefined,
      reason: streaming !== undefined,
      call: streaming !== undefined,
      request: streaming !== undefined,
      part: streaming !== undefined,
      finish: streaming !== undefined,
      check: quiet && unchecked,
      decide: streaming === undefined && callsIn('awaiting-approval').length > 0,
      start: quiet && !unchecked && startable().length > 0,
      end: quiet && callsIn('started').length > 0,
      stop: goesOn,
      refuse: streaming?.empty === true && !isRefused,
      compact: quiet && rests && !steers && last !== undefined && !answered && isTooLong,
    };
  }

  for (const { dice, text, ms } of plays) {
    const can = possible();
    const choices = Object.entries(moves).filter(([move]) => can[move as Move] && !without.includes(move as Move));
    let left = dice % choices.reduce((sum, [, weight]) => sum + weight, 0);
    const [kind] = choices.find(([, weight]) => (left -= weight) < 0) ?? [];
    const luck = Math.floor(dice / 200);
    const one = <T>(of: readonly T[]): T | undefined => of[luck % of.length];
    const tell = (body: EventBody): void => void bodies.push([body, ms]);
    const grow = (body: EventBody): void => {
      if (streaming) streaming.empty = false;
      tell(body);
    };
    const start = (resumes?: string): void => {
      run = { id: `run-${++ids}` };
      isTooLong = false;
      isRefused = false;
      tell({ type: 'run.started', runId: run.id, ...(resumes !== undefined && { resumes }) });
      if (resumes === undefined) for (const { calls } of view) close(calls, () => 'cancelled');
    };
    const add = (message = userMessage(`user-${++ids}`, text)): void => {
      queue = queue.filter((queued) => queued.message !== message);
      view.push({ id: message.id, role: 'user', calls: new Map(), empty: false, cut: false });
      tell({ type: 'message.added', message });
    };
    const stop = (outcome: RunOutcome): void => {
      if (run === undefined) return;
      run.outcome = outcome;
      tell({ type: 'run.ended', runId: run.id, outcome });
      if (streaming) {
        close(streaming.calls, () => 'cancelled');
        streaming.cut = true;
        if (streaming.empty) view = view.filter((one) => one !== streaming);
        streaming = undefined;
      }
      if (hidden.length > 0 && view.at(-1)?.role === 'user') view.push(...hidden);
      hidden = [];
      const keeps = outcome === 'failed' || outcome === 'interrupted';
      for (const { calls } of view)
        close(calls, (was) => (!keeps ? 'cancelled' : was === 'started' ? 'uncertain' : was));
    };

    switch (kind as Move | undefined) {
      case 'say':
        start();
        add();
        break;
      case 'resume':
        start(run?.id);
        break;
      case 'regenerate': {
        const question = one(view.filter(({ role }) => role === 'user'));
        if (question === undefined) break;
        start();
        tell({ type: 'session.rewound', messageId: question.id });
        hidden = view.splice(view.indexOf(question) + 1);
        break;
      }
      case 'add':
        add();
        break;
      case 'queue': {
        const queued = {
          message: userMessage(`user-${++ids}`, text),
          mode: one(['steer', 'queue'] as const) ?? 'queue',
        };
        queue.push(queued);
        tell({ type: 'message.queued', ...queued });
        break;
      }
      case 'unqueue': {
        const left = one(queue);
        queue = queue.filter((queued) => queued !== left);
        tell({ type: 'message.unqueued', messageId: left?.message.id ?? '' });
        break;
      }
      case 'admit':
        add(turn(can.stop)?.message);
        if (!can.stop) start();
        break;
      case 'revoke':
        tell({ type: 'rule.revoked', name: 'add' });
        break;
      case 'clear':
        if (can.stop) stop('cancelled');
        tell({ type: 'session.cleared' });
        view = [];
        queue = [];
        break;
      case 'rename':
        tell({ type: 'session.renamed', title: text });
        break;
      case 'update': {
        const question = one(view.filter(({ role }) => role === 'user'));
        if (question) tell({ type: 'message.updated', message: userMessage(question.id, text) });
        break;
      }
      case 'future':
        tell(fromTheFuture);
        break;
      case 'ask':
        streaming = { id: `reply-${++ids}`, role: 'assistant', calls: new Map(), empty: true, cut: false };
        view.push(streaming);
        tell({ type: 'reply.started', messageId: streaming.id });
        break;
      case 'text':
        grow({ type: 'text.delta', text });
        break;
      case 'reason':
        grow({ type: 'reasoning.delta', text, ...(luck % 3 === 0 && { provider: 'sealed' }) });
        break;
      case 'call': {
        const going = luck % 3 === 0 ? undefined : one(callsIn('streaming'));
        const callId = going ?? `call-${++ids}`;
        streaming?.calls.set(callId, 'streaming');
        grow({ type: 'call.delta', callId, ...(going === undefined && { name: 'add' }), text });
        break;
      }
      case 'request': {
        const callId = one(callsIn('streaming')) ?? `call-${++ids}`;
        const whole = luck % 5 > 0;
        streaming?.calls.set(callId, 'requested');
        grow({
          type: 'call.requested',
          callId,
          name: 'add',
          inputText: whole ? '{}' : '{"n":',
          ...(whole && { input: {} }),
        });
        break;
      }
      case 'part':
        grow({ type: 'part.added', part: { type: 'source', url: 'https://example.com' } });
        break;
      case 'finish':
        if (streaming) close(streaming.calls, (was) => (was === 'streaming' ? 'cancelled' : was));
        streaming = undefined;
        hidden = [];
        isRefused = false;
        tell({
          type: 'reply.ended',
          finish: 'stop',
          usage: { input: luck % 100, output: 1, ...(luck % 2 && { cached: 1 }) },
        });
        break;
      case 'check': {
        const [callId = ''] = callsIn('requested');
        const status =
          one<CallStatus>(['awaiting-approval', 'awaiting-approval', 'approved', 'invalid']) ?? 'awaiting-approval';
        lastCalls().set(callId, status);
        if (status === 'awaiting-approval')
          tell({
            type: 'approval.requested',
            callId,
            ...(luck % 2 && { toolVersion: 'b' }),
            ...(luck % 3 === 0 && { expiresAt: luck }),
            ...(luck % 7 === 0 && { elicitation: { type: 'string' } }),
          });
        else if (status === 'invalid') tell({ type: 'call.ended', callId, outcome: 'invalid', output: 'No.' });
        else tell({ type: 'approval.decided', callId, verdict: 'approved', decidedBy: 'policy' });
        break;
      }
      case 'decide': {
        const callId = callsIn('awaiting-approval').at(luck % 2 ? 0 : -1) ?? '';
        const status = one<'approved' | 'edited' | 'rejected' | 'expired'>([
          'approved',
          'edited',
          'approved',
          'rejected',
          'expired',
        ]);
        lastCalls().set(callId, status ?? 'approved');
        const more = {
          ...(luck % 3 === 0 && { userName: 'Ada' }),
          ...(luck % 4 === 0 && { remember: luck % 8 ? ('agent' as const) : ('session' as const) }),
          ...(luck % 7 === 0 && { answer: 'tea' }),
        };
        if (status === 'edited')
          tell({ type: 'approval.decided', callId, verdict: 'approved', decidedBy: 'user', input: { n: 2 }, ...more });
        else tell({ type: 'approval.decided', callId, verdict: status ?? 'approved', decidedBy: 'user', ...more });
        break;
      }
      case 'start': {
        const [callId = ''] = startable();
        const attempt = (attempts.get(callId) ?? 0) + 1;
        attempts.set(callId, attempt);
        lastCalls().set(callId, 'started');
        tell({ type: 'call.started', callId, attempt });
        break;
      }
      case 'end': {
        const callId = one(callsIn('started')) ?? '';
        const outcome = one<'succeeded' | 'failed' | 'timed-out'>(['succeeded', 'failed', 'timed-out']) ?? 'succeeded';
        lastCalls().set(callId, outcome);
        tell({ type: 'call.ended', callId, outcome, output: text });
        break;
      }
      case 'stop': {
        const early: readonly RunOutcome[] = ['cancelled', 'failed', 'interrupted'];
        const working = streaming !== undefined || [...lastCalls().values()].some((status) => !isEnded(status));
        stop(one(working ? early : [...early, 'completed', 'limit']) ?? 'cancelled');
        break;
      }
      case 'refuse':
        view = view.filter((one) => one !== streaming);
        streaming = undefined;
        isTooLong = isRefused = true;
        tell({
          type: 'reply.refused',
          error: { type: 'LLM_SERVICE', code: 'CONTEXT_OVERFLOW', message: text, retryable: false },
        });
        break;
      case 'compact':
        isTooLong = false;
        tell({
          type: 'context.compacted',
          compactionId: `compaction-${++ids}`,
          cause: 'overflow',
          strategy: 'summarize',
          tokens: { before: 9, after: 1 },
        });
        break;
      case undefined:
    }
  }
  return bodies;
}
