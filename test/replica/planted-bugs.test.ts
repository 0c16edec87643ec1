import { expect, test } from 'vitest';
import { runSeeds } from '../simulation/run-seeds.ts';
import { bugs } from './bugs.ts';

const seeds = 100;

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(12);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 240_000 }, async (name, changes) => {
  const from = Math.max(1, (rare[name] ?? seeds) - seeds + 1);
  const { output } = await runSeeds(
    '--play',
    'replica',
    '--from',
    String(from),
    '--count',
    String(seeds),
    '--changes',
    JSON.stringify(changes),
  );
  expect(output).toMatch(/^seed \d+:$/mu);
});
