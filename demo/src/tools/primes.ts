import { defineTool } from 'brooklet';

const slice = 100_000;

/** A long task: it reports its progress, stops when it is cancelled, and may safely run again (`idempotent`). */
export const countPrimes = defineTool({
  name: 'count_primes',
  description: 'Counts the prime numbers below a number, up to 100 million.',
  input: {
    type: 'object',
    properties: { below: { type: 'integer', minimum: 2, maximum: 100_000_000 } },
    required: ['below'],
    additionalProperties: false,
  },
  idempotent: true,
  timeout: 120_000,
  async execute(input, { signal, progress }) {
    const below = Number(input['below']);
    const small = primesBelow(Math.floor(Math.sqrt(below)) + 1);
    let primes = 0;
    for (let from = 0; from < below; from += slice) {
      primes += countInSlice(from, Math.min(from + slice, below), small);
      progress({ done: Math.min(from + slice, below), total: below });
      // The page must stay responsive between two slices.
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    }
    return { below, primes };
  },
  present: (_input, output) => ({ summary: summaryOf(output) }),
});

function summaryOf(output: unknown): string {
  const { below, primes } = { below: 0, primes: 0, ...(typeof output === 'object' ? output : {}) };
  return `${primes.toLocaleString('en')} primes below ${below.toLocaleString('en')}`;
}

function primesBelow(limit: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; number < limit; number += 1)
    if (primes.every((prime) => number % prime > 0)) primes.push(number);
  return primes;
}

/** One segment of the sieve of Eratosthenes. */
function countInSlice(from: number, to: number, small: readonly number[]): number {
  const isComposite = new Uint8Array(to - from);
  for (const prime of small) {
    const first = Math.max(prime * prime, Math.ceil(from / prime) * prime);
    for (let multiple = first; multiple < to; multiple += prime) isComposite[multiple - from] = 1;
  }
  let count = 0;
  for (let number = Math.max(from, 2); number < to; number += 1) count += isComposite[number - from] === 0 ? 1 : 0;
  return count;
}
