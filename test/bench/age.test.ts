import { expect, test } from 'vitest';
import { findOld } from '../../bench/age.mjs';
import { works } from '../../bench/work.mjs';

const origin = (commit: string) => ({ date: '2026-11-27', commit, machine: 'some' });
const results = {
  machine: 'some',
  versions: {},
  cases: { 'A 2000': {}, 'A 10000': {}, 'B 1000': {} },
  origins: { 'A 2000': origin('new'), 'B 1000': origin('old') },
};
const countSince = (commit: string): number => (commit === 'old' ? 201 : 200);

test('names a case that is older than 200 commits of src, and the bench that measures it again', () => {
  expect(findOld(works, results, countSince)).toEqual([
    expect.stringMatching(
      /^B 1000 was measured 201 commits of src ago \(2026-11-27\): run npm run bench -- --only B\.$/,
    ),
  ]);
});

test('names a case of a commit that is unknown', () => {
  const unknown = { ...results, origins: { 'A 2000': origin('0'.repeat(40)) } };
  expect(findOld(works, unknown)).toEqual([expect.stringContaining('A 2000 was measured at an unknown commit')]);
});
