import { describe, expect, test } from 'vitest';
import { bugs } from './bugs/index.ts';
import { runSeeds } from './run-seeds.ts';

const seeds = 50;

test('there are many bugs', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(40);
});

describe.each(Object.entries(bugs))('a planted bug: %s', (_name, changes) => {
  test(`is caught within ${seeds} seeds`, { timeout: 120_000 }, async () => {
    const { output } = await runSeeds('--count', String(seeds), '--changes', JSON.stringify(changes));
    expect(output).toMatch(/^seed \d+:$/mu);
  });
});
