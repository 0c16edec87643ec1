import { type EventBody, alternativesOf, type SessionState } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retell } from '../../../src/core/model/retell.ts';
import { foldLog } from '../../../src/core/model/fold.ts';
import { anyEvents, foldBodies, stamp, userMessage } from '../../support/events.ts';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

const added = (id: string, supersedes?: string): EventBody => ({
  type: 'message.added',
  message: userMessage(id),
  ...(supersedes !== undefined && { supersedes }),
});
const selected = (messageId: string): EventBody => ({ type: 'alternative.selected', messageId });
const idsOf = ({ messages }: SessionState) => messages.map(({ id }) => id);

/** a b c, with two other versions from b on, the last of which is shown. */
const threeVersions = [added('a'), added('b'), added('c'), added('b2', 'b'), added('c2'), added('b3', 'b2')];

describe('the versions of a conversation', () => {
  test('a message that supersedes another keeps it, with all that followed, as an alternative', () => {
    const state = foldBodies(...threeVersions);
    expect(idsOf(state)).toEqual(['a', 'b3']);
    expect(alternativesOf(state, 'b3')).toEqual({ ids: ['b', 'b2', 'b3'], index: 2, count: 3 });
    expect(alternativesOf(state, 'a')).toEqual({ ids: ['a'], index: 0, count: 1 });
    expect(alternativesOf(state, 'b')).toEqual({ ids: [], index: -1, count: 0 });
  });

  test('an alternative that is selected is shown whole, and the order of the versions stays', () => {
    const state = foldBodies(...threeVersions, selected('b'));
    expect(idsOf(state)).toEqual(['a', 'b', 'c']);
    expect(alternativesOf(state, 'b')).toEqual({ ids: ['b', 'b2', 'b3'], index: 0, count: 3 });
    const later = foldBodies(...threeVersions, selected('b'), selected('b3'), selected('b2'));
    expect(idsOf(later)).toEqual(['a', 'b2', 'c2']);
    expect(alternativesOf(later, 'b2')).toEqual({ ids: ['b', 'b2', 'b3'], index: 1, count: 3 });
  });

  test('the order of the versions does not depend on versions elsewhere in the conversation', () => {
    const elsewhere = [added('x'), added('x2', 'x'), added('x3', 'x2')];
    const state = foldBodies(...threeVersions, selected('b2'), ...elsewhere);
    expect(alternativesOf(state, 'b2').ids).toEqual(['b', 'b2', 'b3']);
    expect(alternativesOf(state, 'x3').ids).toEqual(['x', 'x2', 'x3']);
  });

  test('a conversation that is rewound to its last message has no other version', () => {
    const state = foldBodies(added('a'), added('b'), { type: 'session.rewound', messageId: 'b' });
    expect(state.alternatives).toEqual([]);
    expect(alternativesOf(state, 'b').count).toBe(1);
  });

  test('a message that supersedes one keeps nothing to be restored at the end of the next run', () => {
    const rewound: EventBody = { type: 'session.rewound', messageId: 'a' };
    const state = foldBodies(added('a'), added('b'), rewound, added('a2', 'a'));
    expect(state.replaced).toEqual([]);
  });

  test('the first message of the conversation can be superseded', () => {
    const state = foldBodies(added('a'), added('b'), added('a2', 'a'));
    expect(idsOf(state)).toEqual(['a2']);
    expect(idsOf(foldBodies(added('a'), added('b'), added('a2', 'a'), selected('a')))).toEqual(['a', 'b']);
  });

  test('a version keeps the versions within it', () => {
    const bodies = [...threeVersions, selected('b2'), added('c3', 'c2'), selected('b'), selected('b2')];
    expect(idsOf(foldBodies(...bodies))).toEqual(['a', 'b2', 'c3']);
    expect(alternativesOf(foldBodies(...bodies), 'c3').ids).toEqual(['c2', 'c3']);
  });

  test.each([
    ['of nobody', selected('nobody')],
    ['that is shown', selected('b3')],
    ['within a version that is not shown', selected('c2')],
  ])('a selection %s changes nothing', (_what, body) => {
    const before = foldBodies(...threeVersions, selected('b2'), added('c3', 'c2'), selected('b3'));
    const after = foldBodies(...threeVersions, selected('b2'), added('c3', 'c2'), selected('b3'), body);
    expect({ ...after, seq: 0, updatedAt: 0 }).toEqual({ ...before, seq: 0, updatedAt: 0 });
  });

  test('a message that supersedes a message which is not shown is added at the end', () => {
    expect(idsOf(foldBodies(added('a'), added('b', 'nobody')))).toEqual(['a', 'b']);
  });

  test('during a run no version is selected and no message superseded', () => {
    const running = [...threeVersions, { type: 'run.started', runId: 'r' } as const];
    expect(idsOf(foldBodies(...running, selected('b')))).toEqual(['a', 'b3']);
    expect(idsOf(foldBodies(...running, added('d', 'a')))).toEqual(['a', 'b3', 'd']);
  });

  test('the versions after a message that is removed follow the message before', () => {
    const state = foldBodies(...threeVersions, { type: 'message.removed', messageId: 'a' });
    expect(alternativesOf(state, 'b3').ids).toEqual(['b', 'b2', 'b3']);
    expect(idsOf(foldBodies(...threeVersions, { type: 'message.removed', messageId: 'a' }, selected('b')))).toEqual([
      'b',
      'c',
    ]);
  });

  test('the versions after another message stay where they are', () => {
    const branches = [added('a'), added('b'), added('c'), added('c2', 'c'), added('b2', 'b')];
    const state = foldBodies(...branches, { type: 'message.removed', messageId: 'a' }, selected('b'));
    expect(idsOf(state)).toEqual(['b', 'c2']);
    expect(alternativesOf(state, 'c2').ids).toEqual(['c', 'c2']);
  });

  test('a conversation that is cleared has no versions', () => {
    expect(foldBodies(...threeVersions, { type: 'session.cleared' }).alternatives).toEqual([]);
  });

  test('a version has the run with which it ended: its outcome returns with it', () => {
    const bodies: readonly EventBody[] = [
      added('q'),
      { type: 'run.started', runId: 'r1' },
      { type: 'reply.started', messageId: 'a' },
      { type: 'text.delta', text: 'half' },
      { type: 'run.ended', runId: 'r1', outcome: 'interrupted' },
      { type: 'session.rewound', messageId: 'q' },
      { type: 'run.started', runId: 'r2' },
      { type: 'reply.started', messageId: 'b' },
      { type: 'text.delta', text: 'whole' },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'run.ended', runId: 'r2', outcome: 'completed' },
    ];
    expect(alternativesOf(foldBodies(...bodies), 'b')).toEqual({ ids: ['a', 'b'], index: 1, count: 2 });
    expect(foldBodies(...bodies, selected('a')).run).toMatchObject({ id: 'r1', outcome: 'interrupted' });
    expect(foldBodies(...bodies, selected('a'), selected('b')).run).toMatchObject({ id: 'r2', outcome: 'completed' });
  });

  test('an answer that returns because none replaced it is no alternative', () => {
    const state = foldBodies(
      added('q'),
      { type: 'run.started', runId: 'r1' },
      { type: 'reply.started', messageId: 'a' },
      { type: 'text.delta', text: 'A.' },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'run.ended', runId: 'r1', outcome: 'completed' },
      { type: 'session.rewound', messageId: 'q' },
      { type: 'run.started', runId: 'r2' },
      { type: 'run.ended', runId: 'r2', outcome: 'failed' },
    );
    expect(alternativesOf(state, 'a')).toEqual({ ids: ['a'], index: 0, count: 1 });
    expect(state.alternatives).toEqual([]);
  });

  test('no event loses a message, but a removal and the clearing of the conversation', () => {
    assertMeeting(
      { 'another version': 50 },
      (met) =>
        fc.property(fc.array(fc.nat(999), { maxLength: 40 }), (dice) => {
          const bodies = play(dice);
          const state = foldBodies(...bodies);
          if (state.alternatives.length > 0) met('another version');
          const all = [...state.messages, ...state.alternatives.flatMap(({ messages }) => messages)].map(
            ({ id }) => id,
          );
          expect(all.toSorted()).toEqual(
            bodies.flatMap((body) => (body.type === 'message.added' ? body.message.id : [])).toSorted(),
          );
          expect(foldLog('s', stamp(bodies))).toEqual(state);
        }),
      seeded(100),
    );
  });

  test('a selection and its reverse change nothing', () => {
    assertMeeting(
      { 'another version': 20 },
      (met) =>
        fc.property(fc.array(fc.nat(999), { maxLength: 40 }), fc.nat(999), (dice, place) => {
          const bodies = play(dice);
          const before = foldBodies(...bodies);
          const shown = idsOf(before)[place % Math.max(before.messages.length, 1)] ?? '';
          const { ids } = alternativesOf(before, shown);
          if (ids.length > 1) met('another version');
          const after = foldBodies(...bodies, selected(ids[0] ?? ''), selected(shown));
          expect(after.messages).toEqual(before.messages);
          expect(alternativesOf(after, shown)).toEqual(alternativesOf(before, shown));
        }),
      seeded(100),
    );
  });

  test('a log that is told again results in the same messages and the same versions', () => {
    assertMeeting(
      { 'another version': 50 },
      (met) =>
        fc.property(fc.array(fc.nat(999), { maxLength: 40 }), (dice) => {
          const state = foldBodies(...play(dice));
          if (state.alternatives.length > 0) met('another version');
          const again = foldBodies(...retell(state));
          expect(again.messages).toEqual(state.messages);
          for (const { id } of state.messages) expect(alternativesOf(again, id)).toEqual(alternativesOf(state, id));
          expect(allIds(again)).toEqual(allIds(state));
        }),
      seeded(200),
    );
  });

  test('a log of any events can be told again', () => {
    assertMeeting(
      { 'a message': 50 },
      (met) =>
        fc.property(anyEvents, (bodies) => {
          const again = foldBodies(...retell(foldBodies(...bodies)));
          if (again.messages.length > 0) met('a message');
          expect(foldBodies(...retell(again)).messages).toEqual(again.messages);
        }),
      seeded(100),
    );
  });
});

const allIds = ({ messages, alternatives }: SessionState) =>
  [...messages, ...alternatives.flatMap((one) => one.messages)].map(({ id }) => id).toSorted();

/** A conversation in which a person adds messages, edits some, and steps through the versions. */
function play(dice: readonly number[]): readonly EventBody[] {
  const bodies: EventBody[] = [];
  for (const [turn, die] of dice.entries()) {
    const state = foldBodies(...bodies);
    const id = idsOf(state)[die % Math.max(state.messages.length, 1)];
    const { ids } = alternativesOf(state, id ?? '');
    if (id === undefined || die % 3 === 0) bodies.push(added(`m${turn}`));
    else if (die % 3 === 1) bodies.push(added(`m${turn}`, id));
    else bodies.push(selected(ids[die % ids.length] ?? id));
  }
  return bodies;
}
