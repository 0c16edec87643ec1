// A seam: loaded as a store is created, with all that it imports. `createAgent` does not import it.
import { createStoreReplica } from '../log/store-replica.ts';
import { unloadIdle } from './idle.ts';
import { openStored } from './open-stored.ts';
import type { Replication } from './replication.ts';
import { createTabs } from './tabs.ts';
import { readWaitingRows } from './waiting-rows.ts';

/** The replication of sessions that a store keeps. */
export const storeReplication: Replication = {
  createSyncedStore: createStoreReplica,
  createTabs,
  openStored,
  unloadIdle,
  readWaitingRows,
};
