// The rarely used part of the store, loaded as a whole by load-deferred.ts; it is written with idb.
import { wrap as wrapAny } from 'idb';
import type { Database } from './schema.ts';

export { createMemoryStore } from '../memory.ts';
export { getMetaEntry, updateMetaEntry } from './meta-entries.ts';
export { pack } from './pack.ts';
export { packInIdleTime, tidy } from './idle-work.ts';
export { free, purgeDue, remove, restore, wasRemoved } from './removal.ts';
export { search } from './search/search.ts';
export { unpack } from './unpack.ts';

/** The same database as an idb object. Its tables are typed here, because only `upgrade` knows which ones it has. */
export function wrap(db: IDBDatabase): Database;
export function wrap(db: IDBDatabase): object {
  return wrapAny(db);
}
