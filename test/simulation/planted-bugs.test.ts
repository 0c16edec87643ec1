import { expect, test } from 'vitest';
import { bugs } from './bugs/index.ts';
import { runSeeds } from './run-seeds.ts';

const seeds = 50;

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

test.each(Object.entries(bugs))(`%s is caught within ${seeds} seeds`, { timeout: 120_000 }, async (_name, changes) => {
  const { output } = await runSeeds('--count', String(seeds), '--changes', JSON.stringify(changes));
  expect(output).toMatch(/^seed \d+:$/mu);
});
