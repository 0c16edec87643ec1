import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entries, manifest } from '../../scripts/manifest.mjs';
import { findFaults, limitsInDecisions, limitsPage, rows } from '../../scripts/sizes.mjs';

const decisions = readFileSync(new URL(`../../${limitsPage}`, import.meta.url), 'utf8');
const names = entries.map(({ name }) => name.slice(manifest.name.length + 1) || '.');

const [first] = rows;
const raisedBy = (bytes: number) => rows.map((row) => (row === first ? { ...row, limit: row.limit + bytes } : row));

test('every limit is in the decisions, and every entry in a row', () => {
  expect(findFaults(rows, decisions, names)).toEqual([]);
});

/** The decision with another limit of a chat. */
const withLimit = (kB: number): string => decisions.replace('| a chat | 103 kB |', `| a chat | ${kB} kB |`);

test('a raised limit is refused until the decision states it', () => {
  expect(findFaults(raisedBy(500), decisions, names)).toEqual([expect.stringContaining('“a chat” is 103.5 kB')]);
  expect(findFaults(raisedBy(500), withLimit(103.5), names)).toEqual([]);
  expect(findFaults(raisedBy(1_000), withLimit(103.5), names)).toHaveLength(1);
});

test('a lower limit needs no decision', () => {
  expect(findFaults(raisedBy(-20_000), decisions, names)).toEqual([]);
});

test('a decision that lowers a limit counts from then on', () => {
  expect(limitsInDecisions(withLimit(64), 'a chat')).toEqual([64_000]);
  expect(findFaults(rows, withLimit(64), names)).toHaveLength(1);
});

test('a limit that is stated twice is refused', () => {
  expect(findFaults(rows, `${decisions}\n| a chat | 120 kB | 2026-11-28 | |\n`, names)).toEqual([
    'docs/decisions/package.md states the limit of “a chat” twice.',
  ]);
});

test('a row without a decision and an entry without a row are refused', () => {
  const more = [...rows, { name: 'another page', limit: 1_000 }];
  expect(findFaults(more, decisions, [...names, 'other'])).toEqual([
    expect.stringContaining('states no limit'),
    expect.stringContaining('The entry other is in no row'),
  ]);
});
