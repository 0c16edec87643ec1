import { createRandom } from '../support/llm-cuts.ts';

/** Choices that follow from one seed. */
export interface Random {
  /** Returns an integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** Returns an integer from `from` to `to`, both included. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  oneOf<T>(list: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  const next = createRandom(seed);
  // Neighbouring seeds begin alike.
  for (let warmUp = 0; warmUp < 8; warmUp++) next();
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (probability) => next() < probability,
    oneOf(list) {
      const [one] = list.slice(below(list.length));
      if (one === undefined) throw new Error('An empty list has no element to choose.');
      return one;
    },
  };
}
