import type { SessionEvent } from 'brooklet';
import { type EventBody, evolve, eventVersion, initialState } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf } from '../../../src/core/model/message.ts';
import { fold, foldLog } from '../../../src/core/model/fold.ts';
import { createFolding } from '../../../src/core/model/replay.ts';
import { anyEvents, eventLogs, userMessage } from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
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
    fc.assert(
      fc.property(fc.array(anyEvents, { minLength: 1, maxLength: 6 }), fc.nat(90), (logs, before) => {
        const bodies = [...atRest(before), ...logs.flatMap((log) => [...log, ...atRest(before / 2)])];
        const events = stamp(bodies);
        expect(foldLog('s', events)).toEqual(oneByOne(events));
      }),
      seeded(20),
    );
  });

  test('equals the fold for all kinds of events in a session', () => {
    fc.assert(
      fc.property(fc.array(eventLogs(), { minLength: 1, maxLength: 8 }), (logs) => {
        const events = stamp([...atRest(70), ...logs.flat()]);
        expect(foldLog('s', events)).toEqual(oneByOne(events));
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
    fc.assert(
      fc.property(fc.array(anyEvents, { minLength: 1, maxLength: 4 }), fc.nat(20), (logs, before) => {
        const events = stamp([...atRest(before), ...logs.flatMap((log) => [...log, ...atRest(before / 4)])]);
        const folding = createFolding(initialState('s'));
        let [plain, state] = [initialState('s'), folding.getState()];
        for (const event of events) {
          folding.add(event);
          const [nextPlain, nextState] = [evolve(plain, event), folding.getState()];
          expect(nextState).toEqual(nextPlain);
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
