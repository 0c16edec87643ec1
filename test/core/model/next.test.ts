import type { SessionEvent } from 'brooklet';
import {
  type EventBody,
  evolve,
  initialState,
  next,
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

/** Question and run; then a reply that asks for two calls. */
const asked = answering.slice(0, 3);
const twoCalls: readonly EventBody[] = [...answering, asks('1'), asks('2'), replyEnds];

/** A step in a word, with the call that it is about. */
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
      return `start ${step.message.id}`;
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

describe('what to do', () => {
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

  test('is to ask on, when a run goes on after a reply that broke off', () => {
    const broken: readonly EventBody[] = [...answering, { type: 'text.delta', text: 'Half' }, runEnds('interrupted')];
    expect(said(...broken, { type: 'run.started', runId: 'r2', resumes: 'r' })).toBe('ask');
  });

  test('is to end at once, when a run goes on that had its answer', () => {
    expect(
      said(...answering, replyEnds, runEnds('cancelled'), { type: 'run.started', runId: 'r2', resumes: 'r' }),
    ).toBe('end: completed');
  });

  describe('after a reply that its provider has paused', () => {
    const paused: readonly EventBody[] = [...answering, { type: 'reply.ended', finish: 'pause' }];
    const resumed: EventBody = { type: 'run.started', runId: 'r2', resumes: 'r' };

    test('is to ask on, also when the page went away in the pause', () => {
      expect(said(...paused)).toBe('ask');
      expect(said(...paused, runEnds('interrupted'), resumed)).toBe('ask');
    });

    test('is to end where the run may not ask once more, and to ask when it goes on', () => {
      expect(inWords(next(foldBodies(...paused), { maxSteps: 1 }))).toBe('end: limit');
      expect(inWords(next(foldBodies(...paused, runEnds('limit'), resumed), { maxSteps: 1 }))).toBe('ask');
    });

    test('is to ask first, and to let a person in when the pause is over', () => {
      const steer: EventBody = { type: 'message.queued', message: userMessage('p'), mode: 'steer' };
      expect(said(...paused, steer)).toBe('ask');
      const over: readonly EventBody[] = [{ type: 'reply.started', messageId: 'b' }, replyEnds];
      expect(said(...paused, steer, ...over)).toBe('admit p');
    });
  });

  test('is to finish its calls first, when an interrupted run goes on', () => {
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

  test('is to ask, up to the limit, and then to end', () => {
    expect(said(...asked, ...rounds(2))).toBe('ask');
    expect(said(...asked, ...rounds(3))).toBe('end: limit');
    expect(inWords(next(foldBodies(...asked), { maxSteps: 0 }))).toBe('end: limit');
  });

  test('is to end as completed where the answer came with the last step', () => {
    expect(said(...asked, ...rounds(2), { type: 'reply.started', messageId: 'z' }, replyEnds)).toBe('end: completed');
  });

  test('is to run the calls of the last step before the run ends', () => {
    expect(
      said(...asked, ...rounds(2), { type: 'reply.started', messageId: 'z' }, asks('z'), replyEnds, approved('z')),
    ).toBe('execute z');
  });

  test('is to ask anew as often, when a run goes on beyond its limit', () => {
    const resumed = foldBodies(...asked, ...rounds(3), runEnds('limit'), {
      type: 'run.started',
      runId: 'r2',
      resumes: 'r',
    });
    expect(inWords(next(resumed, policy))).toBe('ask');
    expect(inWords(next(foldOn(resumed, ...rounds(3)), policy))).toBe('end: limit');
  });
});

describe('what to do with tools that have something special about them', () => {
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
  ])('an exclusive one: %s', (_what, bodies, step) => {
    expect(saidBy(exclusive, ...bodies)).toBe(step);
  });

  const cut = [...three, started('1'), started('2'), started('3'), done('1'), ...runEndsAndGoesOn];

  test('an idempotent one that was cut off runs again when the run is resumed; others do not', () => {
    expect(saidBy(idempotent, ...cut)).toBe('execute 2');
    expect(saidBy({}, ...cut)).toBe('ask');
    expect(saidBy(idempotent, ...cut, { type: 'call.started', callId: '2', attempt: 2 })).toBe('wait');
    expect(saidBy(idempotent, ...cut, { type: 'call.started', callId: '2', attempt: 2 }, done('2'))).toBe('ask');
  });

  test('an idempotent one does not run again when the conversation has gone on', () => {
    expect(saidBy(idempotent, ...cut, { type: 'message.added', message: userMessage('p') })).toBe('ask');
    expect(saidBy(idempotent, ...cut.slice(0, -1), { type: 'run.started', runId: 'r2' })).toBe('execute 2');
  });

  test('an idempotent one that is exclusive too runs alone again', () => {
    const both = { tools: new Map([['special', { idempotent: true, exclusive: true }]]) };
    expect(saidBy(both, ...three, started('2'), ...runEndsAndGoesOn)).toBe('execute 1');
    expect(saidBy(both, ...three, started('2'), ...runEndsAndGoesOn, started('1'))).toBe('execute 3');
    expect(saidBy(both, ...three, started('2'), ...runEndsAndGoesOn, started('1'), started('3'))).toBe('wait');
  });

  const final2: readonly EventBody[] = [...answering, { ...asksOf('special'), callId: '1' }, replyEnds, approved('1')];

  test('one whose result is the end ends the run where all calls are of its kind and have succeeded', () => {
    expect(saidBy(final, ...final2, started('1'), done('1'))).toBe('end: completed');
    expect(saidBy({}, ...final2, started('1'), done('1'))).toBe('ask');
    const failed: EventBody = { type: 'call.ended', callId: '1', outcome: 'failed' };
    expect(saidBy(final, ...final2, started('1'), failed)).toBe('ask');
    expect(saidBy(final, ...three, ...['1', '2', '3'].flatMap((id) => [started(id), done(id)]))).toBe('ask');
  });
});

describe('what to do with what was said meanwhile', () => {
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

  test('steers before a limit is looked at, which then counts', () => {
    const full = foldBodies(...stepDone, queued('steer'));
    expect(inWords(next(full, { maxSteps: 1 }))).toBe('admit steer');
    expect(inWords(next(foldOn(full, { type: 'message.added', message: userMessage('steer') }), { maxSteps: 1 }))).toBe(
      'end: limit',
    );
  });
});

describe('how much a run may cost', () => {
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

  test('is looked at before each request but the first', () => {
    expect(step({ budget: { tokens: 11 } })).toEqual({ do: 'ask' });
    expect(step({ budget: { tokens: 10 } })).toEqual({ do: 'end', outcome: 'limit', limit: 'tokens' });
    expect(step({ budget: { tokens: 0, time: 0 }, stopWhen: () => true }, asked)).toEqual({ do: 'ask' });
    expect(step({ maxSteps: 1 })).toEqual({ do: 'end', outcome: 'limit', limit: 'steps' });
  });

  test('does not matter where the answer is there', () => {
    expect(step({ maxSteps: 1, budget: { tokens: 1 }, stopWhen: () => true }, [...answering, replyEnds])).toEqual({
      do: 'end',
      outcome: 'completed',
    });
  });

  test('is counted in time from the run’s beginning, or a person’s last decision', () => {
    // The run began at 20, and 70 ms have gone by.
    expect(step({ budget: { time: 71 } })).toEqual({ do: 'ask' });
    expect(step({ budget: { time: 70 } })).toEqual({ do: 'end', outcome: 'limit', limit: 'time' });
    const decided = [...answering, asks('1'), replyEnds, held('1'), rejected('1')];
    expect(step({ budget: { time: 1 } }, decided)).toEqual({ do: 'ask' });
    const expired: EventBody = { type: 'approval.decided', callId: '1', verdict: 'expired', decidedBy: 'timeout' };
    expect(step({ budget: { time: 1 } }, [...decided.slice(0, -1), expired])).toEqual({ do: 'ask' });
  });

  test('may be said by the page, which sees the state', () => {
    expect(step({ stopWhen: ({ usage }) => usage.input > 8 })).toEqual({
      do: 'end',
      outcome: 'limit',
      limit: 'stopWhen',
    });
    expect(step({ stopWhen: ({ usage }) => usage.input > 9 })).toEqual({ do: 'ask' });
  });
});

describe('whatever has happened', patient, () => {
  const unlimited: Policy = { maxSteps: Number.POSITIVE_INFINITY };

  /** What was to be done when the agent did this; people do what they like. */
  function stepBehind(event: SessionEvent, state: SessionState): string | undefined {
    if (event.type === 'reply.started') return 'ask';
    if (event.type === 'call.started') return `execute ${event.callId}`;
    if (event.type === 'message.added' && isSteering(state, event.message.id)) return `admit ${event.message.id}`;
    if (event.type === 'approval.requested') return `decide ${event.callId}`;
    if (event.type === 'approval.decided' && event.decidedBy === 'policy') return `decide ${event.callId}`;
    if (event.type === 'call.ended' && event.outcome === 'invalid') return `decide ${event.callId}`;
    return undefined;
  }

  const isSteering = ({ queue, run }: SessionState, messageId: string): boolean =>
    run !== undefined && run.outcome === undefined && queue.some(({ message }) => message.id === messageId);

  test.each([false, true])('what an agent does is what was to be done; tools are idempotent: %s', (idempotent) => {
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

  test('the model is asked only when nothing is open, and no call runs unless it was let through', () => {
    fc.assert(
      fc.property(anyEvents, (log) => {
        const state = fold(log);
        const step = next(state, unlimited);
        if (step.do === 'execute') expect(['approved', 'edited']).toContain(step.call.status);
        if (step.do === 'decide') expect(step.call.status).toBe('requested');
        if (step.do !== 'wait') expect(state.run).not.toHaveProperty('outcome');
        if (step.do !== 'wait') expect(state.run).not.toHaveProperty('openReply');
      }),
      seeded(500),
    );
  });
});
