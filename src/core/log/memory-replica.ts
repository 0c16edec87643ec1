import { createEmitter } from '../emitter.ts';
import type { StorageStatus } from '../model/sync-state.ts';
import { current } from './current.ts';
import type { Replica } from './replica.ts';

const status: StorageStatus = { state: 'memory' };

/** Creates the replica of a session without a store: nothing is read or written, and no other tab can run the session. */
export function createMemoryReplica(): Replica {
  let isClosed = false;
  const getStatus = (): StorageStatus => status;
  return {
    add() {},
    flush: async () => {},
    withdraw: () => false,
    flushNow() {},
    status$: current(createEmitter<void>().stream$, getStatus),
    getStatus,
    follow() {},
    catchUp: async () => {},
    isReading: () => false,
    isSaved: () => false,
    isClosed: () => isClosed,
    acquireLease: async () => {},
    takeOver: async () => {},
    noteReplayed() {},
    noteStatus() {},
    close: () => (isClosed = true),
  };
}
