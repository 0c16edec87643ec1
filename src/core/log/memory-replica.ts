import { createEmitter } from '../emitter.ts';
import type { StorageStatus } from '../model/sync-state.ts';
import { current } from './current.ts';
import type { Replica } from './replica.ts';

const status: StorageStatus = { state: 'memory' };
const nothing = async (): Promise<void> => {};

/** Creates the replica of a session without a store: nothing is read or written, and no other tab can run the session. */
export function createMemoryReplica(): Replica {
  let isClosed = false;
  const getStatus = (): StorageStatus => status;
  return {
    add() {},
    flush: nothing,
    withdraw: () => 'stored',
    flushNow() {},
    status$: current(createEmitter<void>().stream$, getStatus),
    getStatus,
    follow() {},
    catchUp: nothing,
    isReading: () => false,
    isSaved: () => false,
    isClosed: () => isClosed,
    acquireLease: nothing,
    takeOver: nothing,
    noteReplayed() {},
    noteStatus() {},
    close: () => (isClosed = true),
  };
}
