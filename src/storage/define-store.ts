import type { SessionStore } from '../core/model/store.ts';
import { replication } from '../core/session/replication.ts';
import { storeReplication } from '../core/session/store-replication.ts';

/**
 * Makes a store of your own usable by `createAgent`: adds the code that keeps sessions in step with the store and with other tabs, which
 * a page without a store does not load. `storeContract` of `brooklet/testing` tests the store.
 *
 * @returns the same object
 * @example
 * const agent = createAgent({ client, store: defineStore({ list, read, write, remove, changes$, close }) });
 */
export function defineStore<T extends SessionStore>(store: T): T {
  return Object.assign(store, { [replication]: storeReplication });
}
