import { expect, test } from 'vitest';
import { type Cover, extentOf, refFilter, rowFilter } from '../../../src/storage/indexeddb/covers.ts';

const covers: readonly Cover[] = [
  { ranges: [[1, 4]], rows: [2], refs: [[2, 0]] },
  { ranges: [[3, 6]], rows: [5] },
  {
    ranges: [
      [2, 2],
      [9, 9],
    ],
    rows: [],
    refs: [[9, 1]],
  },
];

test.each([
  [1, false],
  [2, false],
  [3, false],
  [5, true],
  [7, true],
])('the last write that replaced row %i decides whether it counts: %s', (seq, counts) => {
  expect(rowFilter(covers)(['s', seq])).toBe(counts);
});

test.each([
  [2, 0, false],
  [9, 1, true],
  [9, 0, false],
  [1, 0, false],
  [5, 0, true],
])('reference %i/%i counts only where the last write that replaced it has put it: %s', (seq, index, counts) => {
  expect(refFilter(covers)(['s', seq, index])).toBe(counts);
});

test('the extent contains everything that was replaced', () => {
  expect(extentOf(covers)).toEqual([1, 9]);
  expect(extentOf([{ ranges: [], rows: [] }])).toBeUndefined();
  expect(extentOf([])).toBeUndefined();
});
