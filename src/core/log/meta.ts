import type { Json } from '../json.ts';
import type { StoreMeta } from '../model/store.ts';

/** Returns a `StoreMeta` in memory: the entries last as long as the page. */
export function createMeta(): StoreMeta {
  const entries = new Map<string, Json>();
  return {
    get: async (key) => entries.get(key),
    async update(key, change) {
      const value = change(entries.get(key));
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    },
  };
}
