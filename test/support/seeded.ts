/**
 * The parameters of a property test: the number of cases, with the same seed each time. `SEED=7 npm test` uses another
 * seed.
 */
export function seeded(numRuns = 100, usual = 1): { readonly seed: number; readonly numRuns: number } {
  // A page has no environment variables.
  return { seed: Number(globalThis.process?.env.SEED ?? usual), numRuns };
}
