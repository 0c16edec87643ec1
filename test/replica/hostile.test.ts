import { expect, test } from 'vitest';
import { runSeeds } from '../simulation/run-seeds.ts';

/** `DEVICES=5000` plays more seeds, `DEVICE=7` others. */
const seeds = Number(process.env.DEVICES ?? 200);
const first = Number(process.env.DEVICE ?? 1);

test(
  `no tool runs by what nobody has signed in ${seeds} plays with somebody who writes to the shared store from seed ${first}`,
  { timeout: 120_000 + seeds * 2_000 },
  async () => {
    const { hasFailed, output } = await runSeeds(
      '--play',
      'hostile',
      '--from',
      String(first),
      '--count',
      String(seeds),
    );
    expect(output).toContain(`${seeds} seeds from ${first}, 0 failed`);
    expect(hasFailed).toBe(false);
  },
);
