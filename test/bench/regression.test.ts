import { expect, test } from 'vitest';
import { findRegressions } from '../../bench/regression.mjs';
import { summarize } from '../../bench/results.mjs';
import { insert, toTables } from '../../bench/tables.mjs';
import type { Results } from '../../bench/results.mjs';
import type { Work } from '../../bench/work.mjs';

const work: Work = {
  id: 'A',
  title: 'Work',
  metrics: [
    { id: 'busy', unit: 'ms' },
    { id: 'bytes', unit: 'KB', absolute: true, slack: 1.1 },
  ],
  cases: [{ id: 'A 1', label: 'one', sides: ['floor', 'brooklet', 'pi'], measure: async () => ({}) }],
};

/** The results of a run: times of the floor and of Brooklet, and the bytes of Brooklet. */
function resultsOf(floor: readonly number[], brooklet: readonly number[], bytes = 10): Results {
  return {
    machine: 'a machine',
    versions: { pi: '1.2.3' },
    cases: {
      'A 1': summarize({
        floor: floor.map((busy) => ({ busy })),
        brooklet: brooklet.map((busy) => ({ busy, bytes })),
        pi: [undefined],
      }),
    },
  };
}

test('computes ratios within a run, and their median', () => {
  const figures = resultsOf([10, 20, 100], [11, 30, 100]).cases['A 1'];
  expect(figures?.brooklet?.busy).toEqual({
    median: 30,
    low: 11,
    high: 100,
    ratio: 1.1,
    ratioLow: 1,
    ratioHigh: 1.5,
  });
  expect(figures?.brooklet?.bytes).toEqual({ median: 10, low: 10, high: 10 });
  expect(figures?.pi).toEqual({});
});

test('finds no regression if the whole machine is slower', () => {
  expect(findRegressions([work], resultsOf([10], [12]), resultsOf([100], [120]))).toEqual([]);
});

test('finds a ratio that is worse than its slack, and compares figures without a floor by value', () => {
  const before = resultsOf([10], [12]);
  expect(findRegressions([work], before, resultsOf([10], [15]))).toEqual([]);
  expect(findRegressions([work], before, resultsOf([10], [16]))).toEqual([expect.stringContaining('1.6')]);
  expect(findRegressions([work], before, resultsOf([10], [12], 12))).toEqual([expect.stringContaining('bytes')]);
});

test('allows what the stored runs differ by, and no more', () => {
  const steady = resultsOf([10, 10, 10], [12, 12.2, 12.4]);
  expect(findRegressions([work], steady, resultsOf([10], [12.4]))).toEqual([]);
  expect(findRegressions([work], steady, resultsOf([10], [12.6]))).toEqual([expect.stringContaining('1.26')]);
  const loose = resultsOf([10, 10, 10], [12, 12.2, 20]);
  expect(findRegressions([work], loose, resultsOf([10], [19]))).toEqual([]);
});

test('compares Brooklet with a store, too', () => {
  const stored = (busy: number): Results => ({
    ...resultsOf([10], [12]),
    cases: { 'A 1': summarize({ floor: [{ busy: 10 }], 'brooklet-stored': [{ busy }] }) },
  });
  expect(findRegressions([work], stored(12), stored(15))).toEqual([]);
  expect(findRegressions([work], stored(12), stored(16))).toEqual([expect.stringContaining('brooklet-stored')]);
});

test('writes the spread beside a ratio', () => {
  expect(toTables([work], resultsOf([10, 10], [15, 18]))).toContain('| 1.6 × (1.5–1.8) |');
});

test('finds a case that is no longer measured because it takes too long', () => {
  const after: Results = {
    ...resultsOf([10], [12]),
    cases: { 'A 1': summarize({ floor: [{ busy: 10 }], brooklet: [undefined] }) },
  };
  expect(findRegressions([work], resultsOf([10], [12]), after)).toHaveLength(2);
});

test('ignores cases that were left out', () => {
  expect(findRegressions([{ ...work, cases: [] }], resultsOf([10], [12]), resultsOf([10], [99]))).toEqual([]);
});

test('writes a table with values for the floor, ratios for the others, and sides that gave up', () => {
  const text = toTables([work], resultsOf([10, 12], [15, 18]));
  expect(text).toContain('| one, ms | 11 (10–12) | 1.5 × | gave up |');
  expect(text).toContain('| one, KB | – | 10 | gave up |');
});

test('replaces the text between two marks, and nothing else', () => {
  const document = 'before\n<!-- begin x -->\n\nold $&\n\n<!-- end x -->\nafter\n';
  const once = insert(document, 'x', 'new $&');
  expect(once).toBe('before\n<!-- begin x -->\n\nnew $&\n\n<!-- end x -->\nafter\n');
  expect(insert(once, 'x', 'new $&')).toBe(once);
  expect(() => insert(document, 'y', 'new')).toThrow('no marks');
});
