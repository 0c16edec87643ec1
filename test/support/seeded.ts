/** A tenth of the runs, all of them in CI; `PROPERTY_RUNS=1` (or any factor) chooses. A page has no environment: all of them. */
function share(): number {
  const env = globalThis.process?.env;
  return Number(env?.PROPERTY_RUNS ?? (env === undefined || env.CI ? 1 : 0.1));
}

/** How a property looks: at so many cases, of the same seed each time. `SEED=7 npm test` looks at others. */
export function seeded(numRuns = 100, usual = 1): { readonly seed: number; readonly numRuns: number } {
  return seededInFull(Math.max(1, Math.round(numRuns * share())), usual);
}

/** As `seeded`, with all its runs everywhere: for a property that also demands a number of cases met. */
export function seededInFull(numRuns: number, usual = 1): { readonly seed: number; readonly numRuns: number } {
  return { seed: Number(globalThis.process?.env.SEED ?? usual), numRuns };
}
