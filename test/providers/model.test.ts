import { costOf, findModel, type ModelTable, openai } from 'brooklet/providers';
import { describe, expect, it } from 'vitest';
import { all } from './all.ts';

const price = { input: 2, cached: 0.5, output: 10 };

describe('the cost of an answer', () => {
  it('is the sum of input, cached input and output, each at its rate', () => {
    expect(costOf({ input: 1_000_000, output: 0 }, price)).toBe(2);
    expect(costOf({ input: 1_000_000, cached: 1_000_000, output: 100_000 }, price)).toBe(1.5);
    expect(costOf({ input: 1_000_000, cached: 400_000, output: 0 }, { input: 2, output: 10 })).toBe(2);
  });

  it('includes cache reads and writes where the service counts them separately', () => {
    const usage = { input: 0, output: 0, cacheRead: 1_000_000, cacheWritten: 1_000_000 };
    expect(costOf(usage, price)).toBe(0.5 + 2.5);
    expect(costOf(usage, { ...price, written: 4 })).toBe(0.5 + 4);
    const long = { ...price, long: { over: 1_999_999, input: 4, cached: 1, output: 20 } };
    expect(costOf(usage, long)).toBe(1 + 5);
  });

  it('is never negative, though a service counts more cached tokens than input', () => {
    expect(costOf({ input: 10, cached: 1_000, output: 0 }, price)).toBeGreaterThan(0);
  });

  it('uses the long rates for the whole request above their limit', () => {
    const long = { ...price, long: { over: 200_000, input: 4, output: 20 } };
    expect(costOf({ input: 200_000, output: 0 }, long)).toBe(0.4);
    expect(costOf({ input: 200_001, output: 100_000 }, long)).toBeCloseTo(2.800004, 9);
  });
});

describe('a table of models', () => {
  const table: ModelTable = { 'm-5': { contextWindow: 5 }, 'm-5-mini': { contextWindow: 1 } };

  it.each([
    ['m-5', 5],
    ['m-5-mini', 1],
    ['m-5-2025-08-07', 5],
    ['m-5-mini-20251001', 1],
    ['m-5@20251001', 5],
    ['m-5-latest', 5],
    ['m-5-nano', undefined],
    ['m-5-5', undefined],
    ['m', undefined],
    ['__proto__', undefined],
    ['toString', undefined],
  ])('finds %s', (id, contextWindow) => {
    expect(findModel(table, id)?.contextWindow).toBe(contextWindow);
  });

  it('can be extended by the user', () => {
    const mine = { ...openai, models: { ...openai.models, 'gpt-5-mini': { price: { input: 9, output: 9 } } } };
    expect(findModel(mine.models, 'gpt-5-mini')?.price?.input).toBe(9);
    expect(findModel(undefined, 'gpt-5-mini')).toBeUndefined();
  });

  it.each(all)('of %s holds what can be', (_, { models = {} }) => {
    for (const { contextWindow = 1, maxOutput = 1, price } of Object.values(models)) {
      expect(contextWindow).toBeGreaterThanOrEqual(maxOutput);
      for (const { input, output, cached = 0 } of [price, price?.long].filter((rates) => rates !== undefined)) {
        expect(cached).toBeLessThan(input);
        expect(output).toBeGreaterThanOrEqual(input);
      }
    }
  });
});
