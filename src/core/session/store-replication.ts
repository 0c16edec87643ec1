// A seam: every store brings this file, and all that it imports, to the page. `createAgent` does not import it.
import { createReplica } from '../log/replica.ts';
import type { Replication } from './replication.ts';
import { createTabs } from './tabs.ts';

/** The replication of sessions that a store keeps. */
export const storeReplication: Replication = { createReplica, createTabs };
