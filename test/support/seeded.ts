/** How a property looks: so many cases, of the same seed each time. `SEED=7 npm test` looks at others. */
export function seeded(numRuns = 100): { readonly seed: number; readonly numRuns: number } {
  // A page has no environment.
  return { seed: Number(globalThis.process?.env.SEED ?? 1), numRuns };
}
