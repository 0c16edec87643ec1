/**
 * The share of the cases that a property test takes: a tenth. `PROPERTY_RUNS=1` takes all, as a landing does that reaches the test, or any other share.
 * A page has no environment variables, so it takes all.
 */
function share(): number {
  const env = globalThis.process?.env;
  return Number(env?.PROPERTY_RUNS ?? (env === undefined ? 1 : 0.1));
}

/**
 * The parameters of a property test: the number of cases, with the same seed each time. `SEED=7 npm test` uses another
 * seed.
 */
export function seeded(numRuns = 100, usual = 1): { readonly seed: number; readonly numRuns: number } {
  return seededInFull(Math.max(1, Math.round(numRuns * share())), usual);
}

/** As `seeded`, with all cases everywhere: for a property test that also asserts how many situations it met. */
export function seededInFull(numRuns: number, usual = 1): { readonly seed: number; readonly numRuns: number } {
  // A page has no environment variables.
  return { seed: Number(globalThis.process?.env.SEED ?? usual), numRuns };
}
