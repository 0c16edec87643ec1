import { describe, expect, test } from 'vitest';
import { bugs } from './bugs/index.ts';
import { runSeeds } from './run-seeds.ts';

const seeds = 50;

/** Bugs that few seeds meet: the id of a write answers most of what led to them. */
const rare: Readonly<Record<string, number>> = { 'a prompt that was stored after all is sent again': 400 };

/** Bugs that no seed meets since writes have ids. A seed that does makes the test fail: then the bug leaves this list. */
const missed: readonly string[] = ['a flush of a lost run resolves'];

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

describe.each(Object.entries(bugs))('a planted bug: %s', (name, changes) => {
  const count = rare[name] ?? seeds;
  const expected = missed.includes(name) ? test.fails : test;
  expected(`is caught within ${count} seeds`, { timeout: 120_000 }, async () => {
    const { output } = await runSeeds('--count', String(count), '--changes', JSON.stringify(changes));
    // oxlint-disable-next-line vitest/no-standalone-expect -- `expected` is a test
    expect(output).toMatch(/^seed \d+:$/mu);
  });
});
