/**
 * Freezes a value deeply, and returns the value: a change of what the package hands out throws, in a strict-mode script, and changes neither
 * the log nor what the model reads. Cost: only what can still be extended, so is not frozen, is visited.
 *
 * @param frozen a list in the value whose items are frozen already: they are not visited
 */
export function freeze<T>(value: T, frozen?: readonly unknown[]): T {
  Object.freeze(frozen);
  freezeDeep(value);
  return value;
}

function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null || !Object.isExtensible(value)) return;
  Object.freeze(value);
  for (const inner of Array.isArray(value) ? value : Object.values(value)) freezeDeep(inner);
}
