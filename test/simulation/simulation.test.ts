import { expect, test } from 'vitest';
import { runSeeds } from './run-seeds.ts';

/** `SEEDS=2000` plays more seeds, `SEED=7` others. */
const seeds = Number(process.env.SEEDS ?? 200);
const first = Number(process.env.SEED ?? 1);

test(
  `no law is broken in ${seeds} simulations of tabs, people and faults from seed ${first}`,
  { timeout: 120_000 + seeds * 1_000 },
  async () => {
    const { hasFailed, output } = await runSeeds('--from', String(first), '--count', String(seeds));
    expect(output).toContain(`${seeds} seeds from ${first}, 0 failed`);
    expect(hasFailed).toBe(false);
  },
);

test.each([1, 3, 7, 12])('seed %i is played the same way each time', async (seed) => {
  const [once, again] = [await runSeeds(String(seed)), await runSeeds(String(seed))];
  expect(once.output.split('\n').length).toBeGreaterThan(20);
  expect(again.output).toBe(once.output);
});

test('a play that does not exist is refused', async () => {
  const { hasFailed, output } = await runSeeds('--play', 'tab', '17');
  expect(hasFailed).toBe(true);
  expect(output).toContain('--play is one of tabs, replica, hostile, tree, and not tab.');
});
