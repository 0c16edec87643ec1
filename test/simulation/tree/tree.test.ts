import { expect, test } from 'vitest';
import { runSeeds } from '../run-seeds.ts';

/** `SEEDS=5000` plays more seeds, `SEED=7` others. */
const seeds = Number(process.env.SEEDS ?? 1_000);
const first = Number(process.env.SEED ?? 1);

test(
  `no law is broken in ${seeds} plays of trees in two tabs that are killed from seed ${first}`,
  { timeout: 120_000 + seeds * 1_000 },
  async () => {
    const { hasFailed, output } = await runSeeds('--play', 'tree', '--from', String(first), '--count', String(seeds));
    expect(output).toContain(`${seeds} seeds from ${first}, 0 failed`);
    expect(hasFailed).toBe(false);
  },
);

test.each([1, 3, 7])('seed %i is played the same way each time', async (seed) => {
  const play = () => runSeeds('--play', 'tree', String(seed));
  const [once, again] = [await play(), await play()];
  expect(once.output.split('\n').length).toBeGreaterThan(20);
  expect(again.output).toBe(once.output);
});
