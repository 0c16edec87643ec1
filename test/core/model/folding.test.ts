import type { Message, SessionEvent } from 'brooklet';
import {
  type EventBody,
  evolve,
  eventVersion,
  initialState,
  next,
  nextDeadline,
  type Policy,
  recover,
  type SessionState,
  type Situation,
  statusOf,
  type Step,
} from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf } from '../../../src/core/model/message.ts';
import { fold, foldLog } from '../../../src/core/model/fold.ts';
import { betweenRuns } from '../../../src/core/model/between-runs.ts';
import { withinRun } from '../../../src/core/model/next.ts';
import { createFolding } from '../../../src/core/model/folding.ts';
import type { RecentState } from '../../../src/core/model/state.ts';
import { lastReplyOf, newestOf } from '../../../src/core/model/status.ts';
import { anyEvents, eventLogs, userMessage } from '../../support/events.ts';
import { seeded, seededInFull } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';
import { untyped } from '../../support/untyped.ts';

const oneByOne = (events: readonly SessionEvent[]) => events.reduce(evolve, initialState('s'));

/** `count` settled messages, before the log and in it: more than `foldLog` keeps in its live range. */
function atRest(count: number): readonly EventBody[] {
  return Array.from({ length: count }, (_, index) => [
    { type: 'message.added', message: userMessage(index % 7 === 0 ? 'q' : `m${index}`) } as const,
    { type: 'run.started', runId: `r${index}` } as const,
    { type: 'reply.started', messageId: index % 11 === 0 ? 'a' : `a${index}` } as const,
    ...(index % 13 === 0 ? [] : [{ type: 'text.delta', text: `text ${index}` } as const]),
    { type: 'call.requested', callId: index % 5 === 0 ? 'c' : `c${index}`, name: 'add', inputText: '{}' } as const,
    { type: 'reply.ended', finish: 'tool-calls' } as const,
    { type: 'approval.decided', callId: `c${index}`, verdict: 'approved', decidedBy: 'policy' } as const,
    { type: 'call.started', callId: `c${index}`, attempt: 1 } as const,
    { type: 'call.ended', callId: `c${index}`, outcome: 'succeeded', output: index } as const,
    { type: 'run.ended', runId: `r${index}`, outcome: index % 3 === 0 ? 'failed' : 'completed' } as const,
  ]).flat();
}

const stamp = (bodies: readonly EventBody[]): readonly SessionEvent[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, at: 1_000 + index, v: eventVersion }));

describe('foldLog', () => {
  test('equals the fold of the single events, for all events and any number of earlier messages', () => {
    assertMeeting(
      { 'messages aside': 30 },
      (met) =>
        fc.property(fc.array(anyEvents, { minLength: 1, maxLength: 6 }), fc.nat(90), (logs, before) => {
          const bodies = [...atRest(before), ...logs.flatMap((log) => [...log, ...atRest(before / 2)])];
          const events = stamp(bodies);
          const plain = oneByOne(events);
          if (plain.messages.length > 20) met('messages aside');
          expect(foldLog('s', events)).toEqual(plain);
        }),
      seeded(20),
    );
  });

  test('equals the fold for all kinds of events in a session', () => {
    assertMeeting(
      { 'messages aside': 30 },
      (met) =>
        fc.property(fc.array(eventLogs(), { minLength: 1, maxLength: 8 }), (logs) => {
          // After each log: one of the next may clear the session.
          for (const [index] of logs.entries()) {
            const events = stamp([...atRest(70), ...logs.slice(0, index + 1).flat()]);
            const plain = oneByOne(events);
            if (plain.messages.length > 20) met('messages aside');
            expect(foldLog('s', events)).toEqual(plain);
          }
        }),
      seeded(30),
    );
  });

  const answered = (id: string, text = id): readonly EventBody[] => [
    { type: 'message.added', message: userMessage(`q${id}`) },
    { type: 'run.started', runId: `r${id}` },
    { type: 'reply.started', messageId: `a${id}` },
    { type: 'text.delta', text },
    { type: 'reply.ended', finish: 'stop' },
    { type: 'run.ended', runId: `r${id}`, outcome: 'completed' },
  ];
  const twenty = Array.from({ length: 20 }, (_, index) => answered(`${index}`)).flat();

  test('equals the fold where a message of long ago is edited', () => {
    const edited: EventBody = { type: 'message.added', message: userMessage('new'), supersedes: 'q3' };
    const events = stamp([...twenty, edited]);
    expect(foldLog('s', events)).toEqual(oneByOne(events));
    expect(foldLog('s', events).messages).toHaveLength(7);
  });

  test('continues from any state', () => {
    const events = stamp(atRest(200));
    const [first, rest] = [events.slice(0, 1_111), events.slice(1_111)];
    expect(fold(rest, fold(first, initialState('s')))).toEqual(oneByOne(events));
  });

  test('reads a settled message as often in a long log as in a short one', () => {
    function looksIn(turns: number): number {
      let looks = 0;
      const watched = {
        ...userMessage('first'),
        get content() {
          looks++;
          return [];
        },
      };
      const turn = (index: number): readonly EventBody[] => [
        { type: 'run.started', runId: `r${index}` },
        { type: 'message.added', message: userMessage(`m${index}`) },
        { type: 'run.ended', runId: `r${index}`, outcome: 'completed' },
      ];
      const events = Array.from({ length: turns }, (_, index) => turn(index)).flat();
      foldLog('s', stamp([{ type: 'message.added', message: watched }, ...events]));
      return looks;
    }
    expect(looksIn(2_000)).toBe(looksIn(200));
    expect(looksIn(200)).toBeGreaterThan(0);
  });
});

describe('a fold that goes on event by event', () => {
  test('has after every event the state of the single events, and what has not changed keeps its identity', () => {
    assertMeeting(
      { 'messages that are the same': 100, 'messages that have changed': 100 },
      (met) =>
        fc.property(fc.array(anyEvents, { minLength: 1, maxLength: 4 }), fc.nat(20), (logs, before) => {
          const events = stamp([...atRest(before), ...logs.flatMap((log) => [...log, ...atRest(before / 4)])]);
          const folding = createFolding(initialState('s'));
          let [plain, state] = [initialState('s'), folding.getState()];
          for (const event of events) {
            folding.add(event);
            const [nextPlain, nextState] = [evolve(plain, event), folding.getState()];
            expect(nextState).toEqual(nextPlain);
            met(nextPlain.messages === plain.messages ? 'messages that are the same' : 'messages that have changed');
            expect(nextState.messages === state.messages).toBe(nextPlain.messages === plain.messages);
            expect(folding.getState()).toBe(nextState);
            [plain, state] = [nextPlain, nextState];
          }
        }),
      seeded(20),
    );
  });

  test('knows the id of every message and call, whether they are aside or not', () => {
    const events = stamp(atRest(40));
    const folding = createFolding(initialState('s'));
    for (const event of events) folding.add(event);
    const ids = folding.getState().messages.flatMap(idsOf);
    expect(ids.filter((id) => !folding.hasId(id))).toEqual([]);
    expect(folding.hasId('nobody')).toBe(false);
  });

  test('gives an event few messages to look at, however long the session is', () => {
    const turns = Array.from({ length: 300 }, (_, index): readonly EventBody[] => [
      { type: 'message.added', message: userMessage(`m${index}`) },
      { type: 'run.started', runId: `r${index}` },
      { type: 'reply.started', messageId: `a${index}` },
      { type: 'text.delta', text: 'Yes.' },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'run.ended', runId: `r${index}`, outcome: 'completed' },
    ]);
    const folding = createFolding(initialState('s'));
    const seen = stamp(turns.flat()).map((event) => folding.add(event).messages.length);
    expect(Math.max(...seen)).toBeLessThan(12);
    expect(folding.getState().messages).toHaveLength(600);
  });

  test('is as it was after an event that cannot be folded', () => {
    const events = stamp(atRest(30));
    const folding = createFolding(initialState('s'));
    for (const event of events) folding.add(event);
    const before = folding.getState();
    const broken = { ...stamp([{ type: 'message.added', message: userMessage('x') }])[0], message: { id: 'm1' } };
    expect(() => folding.add(untyped(broken))).toThrow(TypeError);
    expect(folding.getState()).toEqual(before);
  });
});

describe('the recent part of a state', () => {
  const refusal: EventBody = {
    type: 'reply.refused',
    error: { type: 'LLM_SERVICE', code: 'CONTEXT_OVERFLOW', message: 'Too long.', retryable: false },
  };
  const compacted: EventBody = {
    type: 'context.compacted',
    compactionId: 'c',
    cause: 'overflow',
    strategy: 'summarize',
    tokens: { before: 9, after: 1 },
  };
  const policies: readonly Policy[] = [
    { maxSteps: 3 },
    { maxSteps: Number.POSITIVE_INFINITY, tools: new Map([['add', { idempotent: true, exclusive: true }]]) },
    {
      maxSteps: Number.POSITIVE_INFINITY,
      budget: { tokens: 20 },
      stopWhen: ({ messages }) => messages.length % 3 === 0,
      shouldCompact: ({ messages }) => messages.length % 4 === 0,
      tools: new Map([['add', { followUp: false }]]),
    },
  ];
  const situations: readonly Situation[] = (['owner', 'follower', 'orphaned'] as const).flatMap((role) => [
    { role, now: 50, openedAt: 0 },
    { role, now: 2_000, openedAt: 1_900 },
  ]);

  /** A step in words, with the ids that it names. */
  const inWords = (step: Step | undefined): string =>
    JSON.stringify(step, (key, value: unknown) =>
      // A message or a call is as its id: `evolve` has made another object of it.
      (key === 'call' || key === 'message') && isIdentified(value) ? (value.callId ?? value.id) : value,
    ) ?? 'none';
  const isIdentified = (value: unknown): value is { readonly id?: string; readonly callId?: string } =>
    typeof value === 'object' && value !== null;

  /** What the session does and shows next, as far as it follows from a state or its recent part. */
  const decisionsOn = (state: SessionState | RecentState, whole: SessionState): readonly (string | undefined)[] => [
    ...policies.map((policy) => inWords(withinRun(state, policy, () => whole))),
    ...situations.map((situation) => inWords(betweenRuns(state, situation))),
    statusOf(state),
    String(nextDeadline(state)),
    JSON.stringify(recover(state)),
    newestOf(state)?.id,
    lastReplyOf(state)?.id,
  ];

  /** Questions, some of which the provider refuses as too long, and some of which get no answer. */
  const refusedLogs = fc
    .array(fc.record({ end: fc.constantFrom('refused', 'failed', 'cancelled', 'answered'), more: fc.nat(3) }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((turns) =>
      turns.flatMap(({ end, more }, turn): readonly EventBody[] => [
        ...Array.from({ length: more }, (_, index): EventBody => ({
          type: 'message.added',
          message: userMessage(`more${turn}-${index}`),
        })),
        { type: 'message.added', message: userMessage(`question${turn}`) },
        { type: 'run.started', runId: `run${turn}` },
        { type: 'reply.started', messageId: `refused${turn}` },
        ...(end === 'refused'
          ? [refusal, compacted, { type: 'reply.started', messageId: `reply${turn}` } as const]
          : []),
        ...(end === 'refused' || end === 'answered'
          ? [{ type: 'text.delta', text: 'Yes.' } as const, { type: 'reply.ended', finish: 'stop' } as const]
          : []),
        {
          type: 'run.ended',
          runId: `run${turn}`,
          outcome: end === 'failed' || end === 'cancelled' ? end : 'completed',
        },
      ]),
    );

  test('gives the same decisions as the whole state, also where requests are refused and replies are empty', () => {
    /** Events that removed the only message in view, while others were aside. */
    const met = { 'reply.refused': 0, 'run.ended': 0 };
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyEvents, eventLogs(), refusedLogs), { minLength: 1, maxLength: 4 }),
        fc.nat(12),
        (logs, before) => {
          const folding = createFolding(initialState('s'));
          let whole = initialState('s');
          let inView = 0;
          for (const event of stamp([...atRest(before), ...logs.flat()])) {
            const [wasInView, length] = [inView, whole.messages.length];
            inView = folding.add(event).messages.length;
            whole = evolve(whole, event);
            const [decisions, due] = [decisionsOn(folding.getRecent(), whole), decisionsOn(whole, whole)];
            if (decisions.join() !== due.join()) expect({ event, decisions }).toEqual({ event, decisions: due });
            const isEmptied = wasInView === 9 && inView > 1 && whole.messages.length === length - 1;
            if (isEmptied && (event.type === 'reply.refused' || event.type === 'run.ended')) met[event.type]++;
          }
          expect(inWords(next(whole, { maxSteps: 3 }))).toBe(inWords(withinRun(whole, { maxSteps: 3 }, () => whole)));
        },
      ),
      seededInFull(300),
    );
    expect(met['reply.refused']).toBeGreaterThan(20);
    expect(met['run.ended']).toBeGreaterThan(20);
  });

  test.each(Array.from({ length: 20 }, (_, before) => before))(
    'has the newest message after the only reply in view is gone, with %i messages before',
    (before) => {
      const messages = Array.from({ length: before + 1 }, (_, index): EventBody => ({
        type: 'message.added',
        message: userMessage(`m${index}`),
      }));
      const gone: readonly EventBody[] = [
        refusal,
        { type: 'run.ended', runId: 'r', outcome: 'failed' },
        { type: 'run.ended', runId: 'r', outcome: 'cancelled' },
        { type: 'run.started', runId: 'r2' },
        { type: 'run.started', runId: 'r2', resumes: 'r' },
      ];
      for (const end of gone) {
        const folding = createFolding(initialState('s'));
        const events = stamp([
          ...messages,
          { type: 'run.started', runId: 'r' },
          { type: 'reply.started', messageId: 'a' },
          end,
        ]);
        events.forEach(folding.add);
        expect(folding.getRecent().newest?.id).toBe(`m${before}`);
      }
    },
  );

  test('is the same object for the same state, and has no list of messages', () => {
    const folding = createFolding(initialState('s'));
    stamp(atRest(12)).forEach(folding.add);
    expect(folding.getRecent()).toBe(folding.getRecent());
    expect(folding.getRecent()).not.toHaveProperty('messages');
  });

  test('knows the last reply at the cost of few messages, however many follow it', () => {
    function looksIn(count: number): number {
      let looks = 0;
      const folding = createFolding(initialState('s'));
      const add = (bodies: readonly EventBody[]): void => {
        for (const event of stamp(bodies)) folding.add(event);
      };
      add(atRest(12));
      for (let index = 0; index < count; index++) {
        const message: Message = untyped({
          ...userMessage(`later${index}`),
          get status() {
            looks++;
            return undefined;
          },
        });
        add([{ type: 'message.added', message }]);
        expect(folding.getRecent().lastReply?.id).toBe('a');
      }
      return looks / count;
    }
    expect(looksIn(400)).toBeLessThanOrEqual(looksIn(40) + 1);
    expect(looksIn(40)).toBeGreaterThan(0);
  });
});
