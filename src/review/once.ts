/** Returns a function that computes a value at its first call, and returns the same value from then on. */
export function once<T extends object>(compute: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= compute());
}
