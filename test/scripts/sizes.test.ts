import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entries, manifest } from '../../scripts/manifest.mjs';
import { findFaults, limitInDecisions, rows } from '../../scripts/sizes.mjs';

const decisions = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8');
const names = entries.map(({ name }) => name.slice(manifest.name.length + 1) || '.');

const [first] = rows;
const raisedBy = (bytes: number) => rows.map((row) => (row === first ? { ...row, limit: row.limit + bytes } : row));

test('every limit is in the decisions, and every entry in a row', () => {
  expect(findFaults(rows, decisions, names)).toEqual([]);
});

test('a raised limit is refused until a later decision states it', () => {
  expect(findFaults(raisedBy(500), decisions, names)).toEqual([expect.stringContaining('“a chat” is 106.5 kB')]);
  const decided = `${decisions}\n| row | limit |\n| --- | --- |\n| a chat | 106.5 kB |\n`;
  expect(findFaults(raisedBy(500), decided, names)).toEqual([]);
  expect(findFaults(raisedBy(1_000), decided, names)).toHaveLength(1);
});

test('a lower limit needs no decision', () => {
  expect(findFaults(raisedBy(-20_000), decisions, names)).toEqual([]);
});

test('a decision that lowers a limit counts from then on', () => {
  const lowered = `${decisions}\n| a chat | 64 kB |\n`;
  expect(limitInDecisions(lowered, 'a chat')).toBe(64_000);
  expect(findFaults(rows, lowered, names)).toHaveLength(1);
});

test('a row without a decision and an entry without a row are refused', () => {
  const more = [...rows, { name: 'another page', limit: 1_000 }];
  expect(findFaults(more, decisions, [...names, 'other'])).toEqual([
    expect.stringContaining('states no limit'),
    expect.stringContaining('The entry other is in no row'),
  ]);
});
