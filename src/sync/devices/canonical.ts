import { isJsonObject } from '../../core/json.ts';

/** Returns JSON with sorted keys: the same text for the same value, independent of the store that has read it. Missing and `undefined` are the same. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isJsonObject(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
