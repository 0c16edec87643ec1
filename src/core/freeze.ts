// Bundlers replace `process.env.NODE_ENV` by a string. Without a bundler the browser has no `process`.
declare const process: { readonly env: { readonly NODE_ENV?: string } };

let mayAsk = true;

/**
 * Freezes a value deeply in development, and returns the value: an accidental change of what the package hands out throws. A production
 * build contains nothing of it. Cost: only what can still be extended, so is not frozen, is visited.
 *
 * @param frozen a list in the value whose items are frozen already: they are not visited
 */
export function freeze<T>(value: T, frozen?: readonly unknown[]): T {
  try {
    if (mayAsk)
      if (process.env.NODE_ENV !== 'production') {
        Object.freeze(frozen);
        freezeDeep(value);
      }
  } catch {
    mayAsk = false;
  }
  return value;
}

function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null || !Object.isExtensible(value)) return;
  Object.freeze(value);
  for (const inner of Array.isArray(value) ? value : Object.values(value)) freezeDeep(inner);
}
