import type { AgentError } from '../../core/error.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { createConnection } from './connection.ts';
import { createWebLocks } from '../lock.ts';
import type { StoreVerbs } from '../verbs.ts';
import { createChanges } from '../tabs.ts';

export interface IndexedDBStoreOptions {
  /** Name of the database. Default `brooklet`. */
  readonly name?: string;
  /**
   * Told what the page should show although no call has failed: the browser opens no database, and memory stands in for
   * it (`STORAGE_UNAVAILABLE`); another tab blocks the upgrade or needs a newer version (`STORAGE_BLOCKED`); the browser
   * took the database away, or does not finish what it was asked for (`STORAGE_FAILED`).
   */
  readonly onWarning?: (trouble: AgentError) => void;
  /** ms for which `restore` takes a removal back; then it is erased from the disk. Default 10 minutes; 0: at once. */
  readonly undoWindow?: number;
  /** ms after which `onTrouble` is told of a call that the browser does not finish, and that is still waited for. Default 30 s. */
  readonly slowAfter?: number;
}

/**
 * Keeps sessions in IndexedDB. The database is opened by the first call; if the browser does not open it
 * (private mode, blocked, none), the store keeps sessions in memory for as long as the page lives.
 */
export function createIndexedDBStore({
  name = 'brooklet',
  onWarning = () => {},
  undoWindow = 600_000,
  slowAfter = 30_000,
}: IndexedDBStoreOptions = {}): SessionStore {
  const { changes$, tell, foretell, close } = createChanges(name);
  const connection = createConnection(name, onWarning, undoWindow, slowAfter);
  const locks = createWebLocks(name);

  async function changed(sessionId: string, work: (tables: StoreVerbs) => Promise<boolean>): Promise<boolean> {
    const isChanged = await connection.attempt(work);
    if (isChanged) tell(sessionId);
    return isChanged;
  }

  return {
    changes$,
    ...(locks && { locks }),
    isPersistent: () => !connection.isMemory(),
    list: (options) => connection.attempt((tables) => tables.list(options)),
    read: (sessionId, options) => connection.attempt((tables) => tables.read(sessionId, options)),
    async write(write) {
      const written = connection.attempt((tables) => tables.write(write));
      foretell(write.sessionId);
      await written;
      tell(write.sessionId);
    },
    remove: (sessionId) => changed(sessionId, (tables) => tables.remove(sessionId)),
    restore: (sessionId) => changed(sessionId, (tables) => tables.restore(sessionId)),
    wasRemoved: (sessionId) => connection.attempt((tables) => tables.wasRemoved(sessionId)),
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
