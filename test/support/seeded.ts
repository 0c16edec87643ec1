/** How a property looks: at so many cases, of the same seed each time. `SEED=7 npm test` looks at others. */
export function seeded(numRuns = 100, usual = 1): { readonly seed: number; readonly numRuns: number } {
  // A page has no environment.
  return { seed: Number(globalThis.process?.env.SEED ?? usual), numRuns };
}
