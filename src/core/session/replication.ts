import { fail } from '../error.ts';
import { createMemoryReplica } from '../log/memory-replica.ts';
import type { Replica, SyncedStoreOptions } from '../log/replica.ts';
import type { SessionStore } from '../model/store.ts';
import { createLoneTab, type Tabs } from './lone-tab.ts';
import type { unloadIdle } from './idle.ts';
import type { openStored } from './open-stored.ts';
import type { Runs } from './runs.ts';
import type { readWaitingRows } from './waiting-rows.ts';
import type { SessionEnv } from './session-env.ts';

/** The code that keeps a session in step with its store and with the other tabs. */
export interface Replication {
  readonly createSyncedStore: (options: SyncedStoreOptions) => Replica;
  readonly createTabs: (env: SessionEnv, runs: Runs) => Tabs;
  /** What else only stored sessions need. Missing without a store, and while the code is loading. */
  readonly openStored?: typeof openStored;
  readonly unloadIdle?: typeof unloadIdle;
  readonly readWaitingRows?: typeof readWaitingRows;
}

/** Where a store has its replication from. */
export interface ReplicationSource {
  /** Rejects with `MODULE_UNAVAILABLE`. */
  readonly load: () => Promise<Replication>;
  /** Returns the replication; while its code is loading, one that waits for the code. */
  readonly get: () => Replication;
}

/**
 * The key of a store's replication. The store brings it, so that a page without a store does not load it, and a page with one loads it with
 * the store. Registered (`Symbol.for`), so that a store may come from another copy of the package; a store that wraps another
 * (`{ ...store, read }`) has it, too.
 */
export const replication: unique symbol = Symbol.for('brooklet.store');

/** A store that `defineStore` may have made. */
type MaybeDefined = SessionStore & { readonly [replication]?: ReplicationSource };

/** The replication of sessions that no store keeps. */
const none: Replication = { createSyncedStore: createMemoryReplica, createTabs: createLoneTab };

/**
 * Returns the replication for an agent with this store.
 *
 * @throws AgentError `INVALID_CONFIG` for a store that `defineStore` did not make
 */
export function replicationFor(store: MaybeDefined | undefined): ReplicationSource {
  if (store === undefined) return { load: async () => none, get: () => none };
  return (
    store[replication] ??
    fail('INVALID_CONFIG', 'The store is not valid: pass defineStore(store) from brooklet/storage.')
  );
}
