import type { Message, SessionEvent, ToolPart } from 'brooklet';
import {
  type EventBody,
  evolve,
  initialState,
  next,
  nextDeadline,
  type Policy,
  type QueueMode,
  type SessionState,
  type Step,
} from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answering,
  anyEvents,
  eventLogs,
  fold,
  foldBodies,
  foldOn,
  patient,
  userMessage,
} from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
import { countSubjects } from '../../support/subject.ts';

const policy: Policy = { maxSteps: 3 };

const asks = (callId: string): EventBody => ({
  type: 'call.requested',
  callId,
  name: 'add',
  inputText: '{}',
  input: {},
});
const replyEnds: EventBody = { type: 'reply.ended', finish: 'stop' };
const held = (callId: string): EventBody => ({ type: 'approval.requested', callId });
const approved = (callId: string): EventBody => ({
  type: 'approval.decided',
  callId,
  verdict: 'approved',
  decidedBy: 'policy',
});
const edited = (callId: string): EventBody => ({
  type: 'approval.decided',
  callId,
  verdict: 'approved',
  decidedBy: 'user',
  input: {},
});
const rejected = (callId: string): EventBody => ({
  type: 'approval.decided',
  callId,
  verdict: 'rejected',
  decidedBy: 'user',
});
const started = (callId: string): EventBody => ({ type: 'call.started', callId, attempt: 1 });
const done = (callId: string): EventBody => ({ type: 'call.ended', callId, outcome: 'succeeded', output: 1 });
const runEnds = (outcome: 'completed' | 'cancelled' | 'limit' | 'failed' | 'interrupted'): EventBody => ({
  type: 'run.ended',
  runId: 'r',
  outcome,
});

/** A user message and a run; then a reply that requests two calls. */
const asked = answering.slice(0, 3);
const twoCalls: readonly EventBody[] = [...answering, asks('1'), asks('2'), replyEnds];

/** A step as text, with the id of its call. */
function inWords(step: Step): string {
  switch (step.do) {
    case 'decide':
    case 'execute':
      return `${step.do} ${step.call.callId}`;
    case 'admit':
      return `admit ${step.message.id}`;
    case 'end':
      return `end: ${step.outcome}`;
    case 'start':
      return `start ${step.queued.message.id}`;
    case 'expire':
      return `expire ${step.calls.map(({ callId, isLate }) => callId + (isLate ? ' late' : '')).join(', ')}`;
    case 'ask':
    case 'compact':
    case 'recover':
    case 'wait':
      return step.do;
  }
}

const said = (...bodies: readonly EventBody[]): string => inWords(next(foldBodies(...bodies), policy));

describe('the next step', () => {
  test.each<[string, readonly EventBody[], string]>([
    ['before any run', [], 'wait'],
    ['with a message and no run', [{ type: 'message.added', message: userMessage('q') }], 'wait'],
    ['in a run with nothing to answer', [{ type: 'run.started', runId: 'r' }], 'end: completed'],
    ['when something was asked', asked, 'ask'],
    ['while the reply streams', answering, 'wait'],
    ['while the reply streams and calls are whole', [...answering, asks('1')], 'wait'],
    ['when the reply is whole', [...answering, { type: 'text.delta', text: 'A' }, replyEnds], 'end: completed'],
    ['when the reply is whole and empty', [...answering, replyEnds], 'end: completed'],
    [
      'when a reply was cut off by its length',
      [...answering, { type: 'reply.ended', finish: 'length' }],
      'end: completed',
    ],

    [
      'in a run that goes on after a reply that was cut off by its length',
      [
        ...answering,
        { type: 'reply.ended', finish: 'length' },
        runEnds('completed'),
        { type: 'run.started', runId: 'r2', resumes: 'r' },
      ],
      'ask',
    ],

    ['with calls that nobody has checked', twoCalls, 'decide 1'],
    ['with one call let through and one not checked', [...twoCalls, approved('1')], 'decide 2'],
    ['with one call held and one not checked', [...twoCalls, held('1')], 'decide 2'],
    [
      'with one call invalid and one not checked',
      [...twoCalls, { type: 'call.ended', callId: '1', outcome: 'invalid' }],
      'decide 2',
    ],
    ['with all calls let through', [...twoCalls, approved('1'), approved('2')], 'execute 1'],
    ['with the first call running', [...twoCalls, approved('1'), approved('2'), started('1')], 'execute 2'],
    ['with both calls running', [...twoCalls, approved('1'), approved('2'), started('1'), started('2')], 'wait'],
    [
      'with one call done and one running',
      [...twoCalls, approved('1'), approved('2'), started('1'), started('2'), done('1')],
      'wait',
    ],
    [
      'with all calls done',
      [...twoCalls, approved('1'), approved('2'), started('1'), started('2'), done('2'), done('1')],
      'ask',
    ],

    ['with the first call held and the second let through', [...twoCalls, held('1'), approved('2')], 'execute 2'],
    ['with the first call held and the second running', [...twoCalls, held('1'), approved('2'), started('2')], 'wait'],
    [
      'with the first call held and the second done',
      [...twoCalls, held('1'), approved('2'), started('2'), done('2')],
      'wait',
    ],
    ['with all calls held', [...twoCalls, held('1'), held('2')], 'wait'],
    ['with one of two held calls approved', [...twoCalls, held('1'), held('2'), approved('2')], 'execute 2'],
    ['with a held call edited', [...twoCalls, held('1'), held('2'), edited('1')], 'execute 1'],
    ['with one of two held calls rejected', [...twoCalls, held('1'), held('2'), rejected('1')], 'wait'],
    ['with all calls rejected', [...twoCalls, held('1'), held('2'), rejected('2'), rejected('1')], 'ask'],
    [
      'with all calls invalid',
      [...answering, asks('1'), replyEnds, { type: 'call.ended', callId: '1', outcome: 'invalid' }],
      'ask',
    ],
    [
      'with a call that never became whole',
      [...answering, { type: 'call.delta', callId: '1', text: '{' }, replyEnds],
      'ask',
    ],

    [
      'when somebody said something more after the answer',
      [...answering, replyEnds, { type: 'message.added', message: userMessage('p') }],
      'ask',
    ],
    [
      'when somebody said something more while the reply streamed',
      [
        ...answering,
        { type: 'message.added', message: userMessage('p') },
        { type: 'text.delta', text: 'A' },
        replyEnds,
      ],
      'ask',
    ],
    [
      'when somebody said something more while a call is held',
      [...twoCalls, held('1'), held('2'), { type: 'message.added', message: userMessage('p') }],
      'wait',
    ],
    [
      'when everything was cleared away meanwhile',
      [...answering, { type: 'session.cleared' }, replyEnds],
      'end: completed',
    ],
    ['when a question is answered anew', [...answering, replyEnds, { type: 'session.rewound', messageId: 'q' }], 'ask'],
  ])('%s', (_when, bodies, step) => {
    expect(said(...bodies)).toBe(step);
  });

  test.each(['completed', 'cancelled', 'limit', 'failed', 'interrupted'] as const)(
    'is nothing after a run that ended as %s, whatever is open',
    (outcome) => {
      expect(said(...asked, runEnds(outcome))).toBe('wait');
      expect(said(...twoCalls, runEnds(outcome))).toBe('wait');
      expect(said(...twoCalls, held('1'), approved('2'), runEnds(outcome), edited('1'))).toBe('wait');
    },
  );

  test('is to send a request when a run resumes after a reply that broke off', () => {
    const broken: readonly EventBody[] = [...answering, { type: 'text.delta', text: 'Half' }, runEnds('interrupted')];
    expect(said(...broken, { type: 'run.started', runId: 'r2', resumes: 'r' })).toBe('ask');
  });

  test('is to end at once when a run resumes that had its answer', () => {
    expect(
      said(...answering, replyEnds, runEnds('cancelled'), { type: 'run.started', runId: 'r2', resumes: 'r' }),
    ).toBe('end: completed');
  });

  describe('after a reply that its provider has paused, the next step', () => {
    const paused: readonly EventBody[] = [...answering, { type: 'reply.ended', finish: 'pause' }];
    const resumed: EventBody = { type: 'run.started', runId: 'r2', resumes: 'r' };

    test('is to send a request, also when the page was left during the pause', () => {
      expect(said(...paused)).toBe('ask');
      expect(said(...paused, runEnds('interrupted'), resumed)).toBe('ask');
    });

    test('is to end at the limit of requests, and to send a request when the run is resumed', () => {
      expect(inWords(next(foldBodies(...paused), { maxSteps: 1 }))).toBe('end: limit');
      expect(inWords(next(foldBodies(...paused, runEnds('limit'), resumed), { maxSteps: 1 }))).toBe('ask');
    });

    test('is to send a request first, and to admit a steering message after the pause', () => {
      const steer: EventBody = { type: 'message.queued', message: userMessage('p'), mode: 'steer' };
      expect(said(...paused, steer)).toBe('ask');
      const over: readonly EventBody[] = [{ type: 'reply.started', messageId: 'b' }, replyEnds];
      expect(said(...paused, steer, ...over)).toBe('admit p');
    });
  });

  test('is to finish its calls first, when an interrupted run resumes', () => {
    const resumed: readonly EventBody[] = [runEnds('interrupted'), { type: 'run.started', runId: 'r2', resumes: 'r' }];
    expect(said(...twoCalls, held('1'), ...resumed)).toBe('decide 2');
    expect(said(...twoCalls, held('1'), approved('2'), ...resumed)).toBe('execute 2');
    expect(said(...twoCalls, approved('1'), approved('2'), started('1'), ...resumed)).toBe('execute 2');
    expect(said(...answering, asks('1'), replyEnds, approved('1'), started('1'), ...resumed)).toBe('ask');
  });

  const rounds = (count: number): readonly EventBody[] =>
    Array.from({ length: count }, (_, n): readonly EventBody[] => [
      { type: 'reply.started', messageId: `a${n}` },
      asks(`c${n}`),
      replyEnds,
      approved(`c${n}`),
      started(`c${n}`),
      done(`c${n}`),
    ]).flat();

  test('is to send a request, up to the limit, and then to end', () => {
    expect(said(...asked, ...rounds(2))).toBe('ask');
    expect(said(...asked, ...rounds(3))).toBe('end: limit');
    expect(inWords(next(foldBodies(...asked), { maxSteps: 0 }))).toBe('end: limit');
  });

  test('is to end as completed if the answer came with the last step', () => {
    expect(said(...asked, ...rounds(2), { type: 'reply.started', messageId: 'z' }, replyEnds)).toBe('end: completed');
  });

  test('is to run the calls of the last step before the run ends', () => {
    expect(
      said(...asked, ...rounds(2), { type: 'reply.started', messageId: 'z' }, asks('z'), replyEnds, approved('z')),
    ).toBe('execute z');
  });

  test('is to send as many requests again when a run resumes after its limit', () => {
    const resumed = foldBodies(...asked, ...rounds(3), runEnds('limit'), {
      type: 'run.started',
      runId: 'r2',
      resumes: 'r',
    });
    expect(inWords(next(resumed, policy))).toBe('ask');
    expect(inWords(next(foldOn(resumed, ...rounds(3)), policy))).toBe('end: limit');
  });
});

describe('the next step for tools with traits', () => {
  const runEndsAndGoesOn: readonly EventBody[] = [
    runEnds('interrupted'),
    { type: 'run.started', runId: 'r2', resumes: 'r' },
  ];
  const three: readonly EventBody[] = [
    ...answering,
    ...['1', '2', '3'].map((callId): EventBody => ({ ...asksOf(callId === '2' ? 'special' : 'add'), callId })),
    replyEnds,
    ...['1', '2', '3'].map(approved),
  ];
  const saidBy = (traits: Partial<Policy>, ...bodies: readonly EventBody[]): string =>
    inWords(next(foldBodies(...bodies), { ...policy, ...traits }));
  const exclusive = { tools: new Map([['special', { exclusive: true }]]) };
  const idempotent = { tools: new Map([['special', { idempotent: true }]]) };
  const final = { tools: new Map([['special', { followUp: false }]]) };

  function asksOf(name: string): Extract<EventBody, { type: 'call.requested' }> {
    return { type: 'call.requested', callId: 'c', name, inputText: '{}', input: {} };
  }

  test.each<[string, readonly EventBody[], string]>([
    ['passes over it while another runs', [...three, started('1')], 'execute 3'],
    ['waits with it for those that run', [...three, started('1'), started('3')], 'wait'],
    ['waits with it for the last one that runs', [...three, started('1'), started('3'), done('1')], 'wait'],
    ['begins it when it is alone', [...three, started('1'), started('3'), done('1'), done('3')], 'execute 2'],
    ['begins nothing beside it', [...three, started('2')], 'wait'],
    ['goes on when it has ended', [...three, started('2'), done('2')], 'execute 1'],
  ])('exclusive: %s', (_what, bodies, step) => {
    expect(saidBy(exclusive, ...bodies)).toBe(step);
  });

  const cut = [...three, started('1'), started('2'), started('3'), done('1'), ...runEndsAndGoesOn];

  test('runs an idempotent tool that was cut off again when the run is resumed, and no other tool', () => {
    expect(saidBy(idempotent, ...cut)).toBe('execute 2');
    expect(saidBy({}, ...cut)).toBe('ask');
    expect(saidBy(idempotent, ...cut, { type: 'call.started', callId: '2', attempt: 2 })).toBe('wait');
    expect(saidBy(idempotent, ...cut, { type: 'call.started', callId: '2', attempt: 2 }, done('2'))).toBe('ask');
  });

  test('does not run an idempotent tool whose call came inside a message, whatever the message says', () => {
    const call: ToolPart = {
      type: 'tool',
      callId: '9',
      name: 'special',
      status: 'uncertain',
      startedAt: 1,
      inputText: '{}',
      input: {},
    };
    const reply: Message = { id: 'm', role: 'assistant', status: 'interrupted', content: [call], timestamp: 1 };
    const state = foldBodies(
      { type: 'message.added', message: userMessage('q') },
      { type: 'message.added', message: reply },
      { type: 'run.started', runId: 'r' },
    );
    expect(inWords(next(state, { ...policy, ...idempotent }))).toBe('ask');
    // The same state, if the call had started here.
    const messages = state.messages.map((message) => (message.id === 'm' ? reply : message));
    expect(inWords(next({ ...state, messages }, { ...policy, ...idempotent }))).toBe('execute 9');
  });

  test('does not run an idempotent tool again when the conversation has gone on', () => {
    expect(saidBy(idempotent, ...cut, { type: 'message.added', message: userMessage('p') })).toBe('ask');
    expect(saidBy(idempotent, ...cut.slice(0, -1), { type: 'run.started', runId: 'r2' })).toBe('execute 2');
  });

  test('runs an idempotent tool that is exclusive too alone again', () => {
    const both = { tools: new Map([['special', { idempotent: true, exclusive: true }]]) };
    expect(saidBy(both, ...three, started('2'), ...runEndsAndGoesOn)).toBe('execute 1');
    expect(saidBy(both, ...three, started('2'), ...runEndsAndGoesOn, started('1'))).toBe('execute 3');
    expect(saidBy(both, ...three, started('2'), ...runEndsAndGoesOn, started('1'), started('3'))).toBe('wait');
  });

  const final2: readonly EventBody[] = [...answering, { ...asksOf('special'), callId: '1' }, replyEnds, approved('1')];

  test('ends the run if all calls are of tools without follow-up and have succeeded', () => {
    expect(saidBy(final, ...final2, started('1'), done('1'))).toBe('end: completed');
    expect(saidBy({}, ...final2, started('1'), done('1'))).toBe('ask');
    const failed: EventBody = { type: 'call.ended', callId: '1', outcome: 'failed' };
    expect(saidBy(final, ...final2, started('1'), failed)).toBe('ask');
    expect(saidBy(final, ...three, ...['1', '2', '3'].flatMap((id) => [started(id), done(id)]))).toBe('ask');
  });
});

describe('the next step with queued messages', () => {
  const queued = (mode: QueueMode, id = mode): EventBody => ({
    type: 'message.queued',
    message: userMessage(id),
    mode,
  });
  const stepDone: readonly EventBody[] = [
    ...twoCalls,
    ...['1', '2'].flatMap((id) => [approved(id), started(id), done(id)]),
  ];

  test.each<[string, readonly EventBody[], string]>([
    ['steers at the next step', [...stepDone, queued('steer')], 'admit steer'],
    ['steers before the run ends', [...answering, replyEnds, queued('steer')], 'admit steer'],
    ['does not steer while the reply streams', [...answering, queued('steer')], 'wait'],
    ['does not steer while calls are open', [...twoCalls, held('1'), held('2'), queued('steer')], 'wait'],
    [
      'does not steer once it was admitted',
      [...stepDone, queued('steer'), { type: 'message.added', message: userMessage('steer') }],
      'ask',
    ],
    [
      'does not steer once it was taken back',
      [...stepDone, queued('steer'), { type: 'message.unqueued', messageId: 'steer' }],
      'ask',
    ],
    [
      'steers in order',
      [...stepDone, queued('steer', 'one' as 'steer'), queued('steer', 'two' as 'steer')],
      'admit one',
    ],
    ['waits in the queue until the run is over', [...stepDone, queued('queue')], 'ask'],
    ['waits in the queue also when it is', [...answering, replyEnds, queued('queue')], 'end: completed'],
    ['steers past what waits', [...answering, replyEnds, queued('queue'), queued('steer')], 'admit steer'],
  ])('%s', (_what, bodies, step) => {
    expect(said(...bodies)).toBe(step);
  });

  test('admits a steering message before it checks the limit', () => {
    const full = foldBodies(...stepDone, queued('steer'));
    expect(inWords(next(full, { maxSteps: 1 }))).toBe('admit steer');
    expect(inWords(next(foldOn(full, { type: 'message.added', message: userMessage('steer') }), { maxSteps: 1 }))).toBe(
      'end: limit',
    );
  });
});

describe('the limit of a run', () => {
  const paid = (input: number): readonly EventBody[] => [
    ...answering,
    asks('1'),
    { type: 'reply.ended', finish: 'tool-calls', usage: { input, output: 1 } },
    approved('1'),
    started('1'),
    done('1'),
  ];
  const step = (more: Partial<Policy>, bodies: readonly EventBody[] = paid(9)): Step =>
    next(foldBodies(...bodies), { ...policy, ...more });

  test('is checked before each request but the first', () => {
    expect(step({ budget: { tokens: 11 } })).toEqual({ do: 'ask' });
    expect(step({ budget: { tokens: 10 } })).toEqual({ do: 'end', outcome: 'limit', limit: 'tokens' });
    expect(step({ budget: { tokens: 0, time: 0 }, stopWhen: () => true }, asked)).toEqual({ do: 'ask' });
    expect(step({ maxSteps: 1 })).toEqual({ do: 'end', outcome: 'limit', limit: 'steps' });
  });

  test('does not apply if the answer is there', () => {
    expect(step({ maxSteps: 1, budget: { tokens: 1 }, stopWhen: () => true }, [...answering, replyEnds])).toEqual({
      do: 'end',
      outcome: 'completed',
    });
  });

  test('counts time from the start of the run, or from the last decision of a person', () => {
    // The run started at 20, and 70 ms have passed.
    expect(step({ budget: { time: 71 } })).toEqual({ do: 'ask' });
    expect(step({ budget: { time: 70 } })).toEqual({ do: 'end', outcome: 'limit', limit: 'time' });
    const decided = [...answering, asks('1'), replyEnds, held('1'), rejected('1')];
    expect(step({ budget: { time: 1 } }, decided)).toEqual({ do: 'ask' });
    const expired: EventBody = { type: 'approval.decided', callId: '1', verdict: 'expired', decidedBy: 'timeout' };
    expect(step({ budget: { time: 1 } }, [...decided.slice(0, -1), expired])).toEqual({ do: 'ask' });
  });

  test('may be a condition of the application, which receives the state', () => {
    expect(step({ stopWhen: ({ usage }) => usage.input > 8 })).toEqual({
      do: 'end',
      outcome: 'limit',
      limit: 'stopWhen',
    });
    expect(step({ stopWhen: ({ usage }) => usage.input > 9 })).toEqual({ do: 'ask' });
  });
});

describe('in every log,', patient, () => {
  const unlimited: Policy = { maxSteps: Number.POSITIVE_INFINITY };

  /** The step that was due when the agent appended the event; events of people are unrestricted. */
  function stepBehind(event: SessionEvent, state: SessionState): string | undefined {
    if (event.type === 'reply.started') return 'ask';
    if (event.type === 'call.started') return `execute ${event.callId}`;
    if (event.type === 'message.added' && isSteering(state, event.message.id)) return `admit ${event.message.id}`;
    if (event.type === 'approval.requested') return `decide ${event.callId}`;
    if (event.type === 'approval.decided' && event.decidedBy === 'policy') return `decide ${event.callId}`;
    if (event.type === 'call.ended' && event.outcome === 'invalid') return `decide ${event.callId}`;
    if (event.type === 'context.compacted') return 'compact';
    return undefined;
  }

  const isSteering = ({ queue, run }: SessionState, messageId: string): boolean =>
    run !== undefined && run.outcome === undefined && queue.some(({ message }) => message.id === messageId);

  test.each([false, true])('an agent does the step that was due; tools are idempotent: %s', (idempotent) => {
    const tools = new Map([['add', { idempotent }]]);
    fc.assert(
      fc.property(eventLogs({ idempotent }), (log) => {
        let state = initialState('s');
        for (const event of log) {
          const step = inWords(next(state, { ...unlimited, tools }));
          if (step !== (stepBehind(event, state) ?? step)) expect({ step, event }).toBe(stepBehind(event, state));
          state = evolve(state, event);
        }
      }),
      seeded(500),
    );
  });

  test('a request is sent only when nothing is open, and no call runs without approval', () => {
    const parameters = seeded(500);
    const subjects = countSubjects({ ask: 100, execute: 10, decide: 10 });
    const check = (state: SessionState, tools: NonNullable<Policy['tools']>): void => {
      const step = next(state, { ...unlimited, tools });
      if (step.do === 'ask' || step.do === 'execute' || step.do === 'decide') subjects.met(step.do);
      if (step.do === 'execute') expect(['approved', 'edited']).toContain(step.call.status);
      if (step.do === 'decide') expect(step.call.status).toBe('requested');
      if (step.do !== 'wait') expect(state.run).not.toHaveProperty('outcome');
      if (step.do !== 'wait') expect(state.run).not.toHaveProperty('openReply');
    };
    fc.assert(
      fc.property(anyEvents, eventLogs({ idempotent: false }), (events, log) => {
        check(fold(events), new Map());
        let state = initialState('s');
        for (const event of log) {
          state = evolve(state, event);
          check(state, new Map([['add', { idempotent: false }]]));
        }
      }),
      parameters,
    );
    subjects.expectIn(parameters.numRuns);
  });
});

describe('between runs', () => {
  const queued: EventBody = { type: 'message.queued', message: userMessage('later'), mode: 'queue' };
  const compaction: EventBody = { type: 'run.started', runId: 'r', isCompaction: true };
  const held: readonly EventBody[] = [
    ...answering,
    asks('1'),
    replyEnds,
    { type: 'approval.requested', callId: '1', expiresAt: 100 },
  ];
  const runEnds = (outcome: 'completed' | 'cancelled' | 'failed'): EventBody => ({
    type: 'run.ended',
    runId: 'r',
    outcome,
  });

  test('a compaction waits for a decision that may have to be taken back', () => {
    const state = foldBodies(...held, runEnds('completed'), compaction);
    expect(next(state, { maxSteps: 1 })).toEqual({ do: 'compact' });
    expect(next(state, { maxSteps: 1, isHeld: (callId) => callId === '1' })).toEqual({ do: 'wait' });
  });

  test.each(['approved', 'edited'])(
    'a call whose decision may have to be taken back does not start, and others do: %s',
    (how) => {
      const requested = (callId: string): EventBody => ({ type: 'approval.requested', callId });
      const decided = (callId: string): EventBody => ({
        type: 'approval.decided',
        callId,
        verdict: 'approved',
        decidedBy: 'user',
        ...(how === 'edited' && { input: { n: 7 } }),
      });
      const state = foldBodies(
        ...answering,
        asks('1'),
        asks('2'),
        replyEnds,
        requested('1'),
        requested('2'),
        decided('1'),
        decided('2'),
      );
      const isHeld = (callId: string): boolean => callId === '1';
      expect(next(state, { maxSteps: 1 })).toMatchObject({ do: 'execute', call: { callId: '1' } });
      expect(next(state, { maxSteps: 1, isHeld })).toMatchObject({ do: 'execute', call: { callId: '2' } });
      const started = foldOn(state, { type: 'call.started', callId: '2', attempt: 1 });
      expect(next(started, { maxSteps: 1, isHeld })).toEqual({ do: 'wait' });
      expect(next(started, { maxSteps: 1 })).toMatchObject({ do: 'execute', call: { callId: '1' } });
      const ended = foldOn(started, { type: 'call.ended', callId: '2', outcome: 'succeeded', output: 'done' });
      expect(next(ended, { maxSteps: 1, isHeld })).toEqual({ do: 'wait' });
    },
  );

  test.each<[string, readonly EventBody[], number, 'owner' | 'follower' | 'orphaned', string]>([
    ['before the first run', [queued], 0, 'owner', 'start later'],
    ['after a completed run', [...answering, queued, runEnds('completed')], 0, 'owner', 'start later'],
    ['after a completed run, with nothing in the queue', [...answering, runEnds('completed')], 0, 'owner', 'wait'],
    ['after a compaction that failed', [compaction, queued, runEnds('failed')], 0, 'owner', 'start later'],
    ['after a compaction that was stopped', [compaction, queued, runEnds('cancelled')], 0, 'owner', 'wait'],
    ['in a tab that did not drive the run', [...answering, queued, runEnds('completed')], 0, 'follower', 'wait'],
    ['after a stop', [...answering, queued, runEnds('cancelled')], 0, 'owner', 'wait'],
    ['after a failure', [...answering, queued, runEnds('failed')], 0, 'owner', 'wait'],
    ['while a reply streams', [...answering, queued], 0, 'owner', 'wait'],
    ['when the owner has vanished', answering, 0, 'orphaned', 'recover'],
    ['when the owner has vanished and its run waits', held, 0, 'orphaned', 'wait'],
    ['before a call expires', held, 99, 'owner', 'wait'],
    ['when a call expires', held, 100, 'owner', 'expire 1'],
    ['when a call expires that any tab may decide', held, 100, 'follower', 'expire 1'],
    ['when a call expired before the tab was opened', held, 200, 'follower', 'expire 1 late'],
  ])('%s', (_when, bodies, now, role, step) => {
    const openedAt = now === 200 ? 150 : 50;
    expect(inWords(next(foldBodies(...bodies), policy, { now, role, openedAt }))).toBe(step);
  });

  test('a call that expired in the moment in which the tab was opened expired before', () => {
    const step = next(foldBodies(...held), policy, { now: 100, role: 'owner', openedAt: 100 });
    expect(inWords(step)).toBe('expire 1 late');
  });

  test('a call without a time limit never expires', () => {
    const state = foldBodies(...held.slice(0, -1), { type: 'approval.requested', callId: '1' });
    expect(inWords(next(state, policy, { now: Number.MAX_VALUE, role: 'owner', openedAt: 0 }))).toBe('wait');
    expect(nextDeadline(state)).toBe(Infinity);
  });

  test('the next deadline is the first expiry', () => {
    expect(nextDeadline(foldBodies(...held))).toBe(100);
    expect(nextDeadline(foldBodies(...answering))).toBe(Infinity);
  });

  test('a tab that does not run the session leaves a call to the tab that runs its siblings', () => {
    const state = foldBodies(
      ...answering,
      asks('1'),
      asks('2'),
      replyEnds,
      { type: 'approval.requested', callId: '1', expiresAt: 100 },
      { type: 'approval.decided', callId: '2', verdict: 'approved', decidedBy: 'policy' },
      { type: 'call.started', callId: '2', attempt: 1 },
    );
    const at = (role: 'owner' | 'follower'): string => inWords(next(state, policy, { now: 100, role, openedAt: 0 }));
    expect([at('follower'), at('owner')]).toEqual(['wait', 'expire 1']);
  });
});
