import { wrap as wrapAny } from 'idb';
import type { Database } from './schema.ts';

// What hardly a page needs, loaded in one go when one first does; and idb, in whose words it is written.
export { createMemoryStore } from '../memory.ts';
export { getMetaEntry, updateMetaEntry } from './meta-entries.ts';
export { pack } from './pack.ts';
export { free, purge, remove, restore, wasRemoved } from './removal.ts';
export { search } from './search/search.ts';
export { unpack } from './unpack.ts';

/** The same database, as idb has it; which tables it has, only `upgrade` knows. */
export function wrap(db: IDBDatabase): Database;
export function wrap(db: IDBDatabase): object {
  return wrapAny(db);
}
