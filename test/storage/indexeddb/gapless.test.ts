import type { SessionEvent } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { isGapless } from '../../../src/storage/rows/gapless.ts';
import { lostEvents } from '../../../src/storage/rows/lost-events.ts';

const renamed = (seq: number): SessionEvent => ({ type: 'session.renamed', title: 'x', seq, at: 0, v: 2 });
const says = (seq: number, since?: number): SessionEvent => ({
  type: 'text.delta',
  text: 'x',
  seq,
  at: 0,
  v: 2,
  ...(since !== undefined && { since }),
});

describe('a log is without gaps', () => {
  test.each<[string, readonly SessionEvent[], after: number, seq: number, boolean]>([
    ['with every number from 1 on', [renamed(1), renamed(2), renamed(3)], 0, 3, true],
    ['read as a whole', [renamed(1), renamed(2)], -Infinity, 2, true],
    ['read from a number on', [renamed(5), renamed(6)], 4, 6, true],
    ['that is empty, where nothing was stored', [], 0, 0, true],
    ['that is empty, where something was stored', [], 0, 1, false],
    ['with a joined event that names its first number', [renamed(1), says(4, 2), renamed(5)], 0, 5, true],
    ['with a joined event that does not', [renamed(1), says(4), renamed(5)], 0, 5, false],
    ['that lost its first event', [renamed(2), renamed(3)], 0, 3, false],
    ['that lost one in the middle', [renamed(1), renamed(3)], 0, 3, false],
    ['that lost its last event', [renamed(1), renamed(2)], 0, 3, false],
    ['that lost the first event after a number', [renamed(6)], 4, 6, false],
  ])('or not: one %s', (_what, events, after, seq, expected) => {
    expect(isGapless(events, after, seq)).toBe(expected);
  });
});

describe('the numbers that a log lost', () => {
  const begun: SessionEvent = { type: 'session.started', sessionId: 's', seq: 7, at: 0, v: 2 };
  const old = (seq: number, text: string): SessionEvent => ({ type: 'text.delta', text, seq, at: 0, v: 2 });
  const rewritten = (seq: number, since: number, cadence: readonly number[]): SessionEvent => ({
    type: 'text.delta',
    text: 'some text',
    cadence,
    since,
    seq,
    at: 0,
    v: 2,
  });

  test.each<[string, readonly SessionEvent[], after: number, seq: number, lost: ReturnType<typeof lostEvents>]>([
    ['none', [renamed(1), renamed(2)], 0, 2, []],
    ['none, where the whole log was read', [renamed(1)], -Infinity, 1, []],
    ['none, where a log begins later', [begun, renamed(8)], 0, 8, []],
    ['the first ones', [renamed(3), renamed(4)], 0, 4, [[1, 2]]],
    ['the first ones after a number', [renamed(7)], 4, 7, [[5, 6]]],
    ['one in the middle', [renamed(1), renamed(3)], 0, 3, [[2, 2]]],
    [
      'several in several places',
      [renamed(1), renamed(4), renamed(7)],
      0,
      9,
      [
        [2, 3],
        [5, 6],
        [8, 9],
      ],
    ],
    ['all', [], 2, 5, [[3, 5]]],
    ['those before a joined event', [renamed(1), says(9, 4)], 0, 9, [[2, 3]]],
    ['none before a text of an earlier version, which has a character for each', [old(4, 'four')], 0, 4, []],
    ['one more than such a text can have', [old(6, 'four')], 0, 6, [[1, 5]]],
    ['none before a rewritten text, whose first piece has a character for each', [rewritten(9, 4, [0, 3])], 0, 9, []],
    ['one more than its first piece can have', [rewritten(9, 5, [0, 3])], 0, 9, [[1, 4]]],
  ])('are %s', (_what, events, after, seq, lost) => {
    expect(lostEvents(events, after, seq)).toEqual(lost);
  });
});
