import { loadable } from '../core/lazy.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createPendingReplication } from '../core/session/pending-replication.ts';
import { replication, type ReplicationSource } from '../core/session/replication.ts';

// A page that uses no store drops this.
const code = /* @__PURE__ */ loadable(
  async () => (await import('../core/session/store-replication.ts')).storeReplication,
);

const source: ReplicationSource = {
  load: () => code.load(),
  get: () => code.get() ?? createPendingReplication(code.load()),
};

/**
 * Makes a store of your own usable by `createAgent`: adds the code that keeps sessions in step with the store and with other tabs, which
 * a page without a store does not load. `storeContract` of `brooklet/testing` tests the store.
 *
 * @returns the same object
 * @example
 * const agent = createAgent({ client, store: defineStore({ list, read, write, remove, changes$, close }) });
 */
export function defineStore<T extends SessionStore>(store: T): T {
  // Loads while the page still draws. A failure is reported by the session that needs the code.
  source.load().catch(() => {});
  return Object.assign(store, { [replication]: source });
}
