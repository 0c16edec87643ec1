import type { Json } from '../json.ts';
import type { StoreMeta } from '../model/store.ts';

/** Facts that live as long as the page. */
export function createMeta(): StoreMeta {
  const facts = new Map<string, Json>();
  return {
    get: async (key) => facts.get(key),
    async update(key, change) {
      const value = change(facts.get(key));
      if (value === undefined) facts.delete(key);
      else facts.set(key, value);
    },
  };
}
