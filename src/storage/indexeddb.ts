import type { AgentError } from '../core/error.ts';
import type { SessionStore } from '../core/log/store.ts';
import { createConnection } from './connection.ts';
import { createWebLocks } from './lock.ts';
import { createChanges } from './tabs.ts';

export interface IndexedDBStoreOptions {
  /** Name of the database. Default `brooklet`. */
  readonly name?: string;
  /**
   * Told what the page should show although no call has failed: the browser opens no database, and memory stands in for
   * it (`STORAGE_UNAVAILABLE`); another tab blocks the upgrade or needs a newer version (`STORAGE_BLOCKED`); the browser
   * took the database away (`STORAGE_FAILED`).
   */
  readonly onTrouble?: (trouble: AgentError) => void;
}

/**
 * Keeps sessions in IndexedDB (DESIGN §7). The database is opened by the first call; if the browser does not open it
 * (private mode, blocked, none), the store keeps sessions in memory for as long as the page lives.
 */
export function createIndexedDBStore({
  name = 'brooklet',
  onTrouble = () => {},
}: IndexedDBStoreOptions = {}): SessionStore {
  const { changes$, tell, close } = createChanges(name);
  const connection = createConnection(name, onTrouble);
  const locks = createWebLocks(name);

  return {
    changes$,
    ...(locks && { locks }),
    isPersistent: () => !connection.isMemory(),
    list: (options) => connection.attempt((tables) => tables.list(options)),
    read: (sessionId, options) => connection.attempt((tables) => tables.read(sessionId, options)),
    async write(write) {
      await connection.attempt((tables) => tables.write(write));
      tell(write.sessionId);
    },
    async remove(sessionId) {
      const wasThere = await connection.attempt((tables) => tables.remove(sessionId));
      if (wasThere) tell(sessionId);
      return wasThere;
    },
    meta: {
      get: (key) => connection.attempt((tables) => tables.meta.get(key)),
      update: (key, change) => connection.attempt((tables) => tables.meta.update(key, change)),
    },
    close() {
      connection.close();
      close();
    },
  };
}
