import type { Json } from '../json.ts';
import type { StoreMeta } from '../model/store.ts';

/** Returns a `StoreMeta` in memory: the entries last as long as the page. */
export function createMeta(): StoreMeta {
  const entries = new Map<string, Json>();
  return {
    // Copies: an entry changes by `update` only.
    get: async (key) => structuredClone(entries.get(key)),
    async update(key, change) {
      const value = structuredClone(change(structuredClone(entries.get(key))));
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    },
  };
}
