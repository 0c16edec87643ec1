import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { AgentError, toAgentError } from '../core/error.ts';
import { createDisk, type Disk } from './disk.ts';
import { isNewerDatabase, toStorageError } from './storage-errors.ts';
import { createPageLife, missedOpening, type PageLife } from './page-life.ts';

/**
 * An IndexedDB database of a few entries. It is opened with the first operation, and closed when another tab wants to upgrade or delete it;
 * the next operation opens it again.
 */
export interface SmallDatabase<Schema extends DBSchema> {
  /** Performs an operation. Rejects with AgentError of type `STORAGE` when the browser refuses the operation: `STORAGE_BLOCKED` where a newer version of the page has stored the data. */
  attempt<T>(work: (disk: Disk<Schema>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface SmallDatabaseOptions<Schema extends DBSchema> {
  /** Creates the object stores. */
  readonly create: (db: IDBPDatabase<Schema>) => void;
  /** Message of the error where the page has no IndexedDB. */
  readonly missing: string;
}

export function createSmallDatabase<Schema extends DBSchema>(
  name: string,
  { create, missing }: SmallDatabaseOptions<Schema>,
): SmallDatabase<Schema> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  let page: PageLife | undefined;

  function forget(): void {
    opened = undefined;
  }

  function open(): Promise<IDBPDatabase<Schema>> {
    if (typeof indexedDB === 'undefined') throw new AgentError(missing, { code: 'STORAGE_UNAVAILABLE' });
    const opening = openDB<Schema>(name, 1, {
      upgrade: create,
      blocking(_from, _to, event) {
        forget();
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: forget,
    });
    opening.catch(forget);
    const missed = missedOpening((page ??= createPageLife()), opening);
    missed.catch(() => {
      forget();
      opening.then(
        (db) => db.close(),
        () => {},
      );
    });
    return Promise.race([opening, missed]);
  }

  return {
    async attempt(work) {
      try {
        const db = await (opened ??= open());
        return await work(createDisk(db, (page ??= createPageLife())));
      } catch (thrown) {
        if (isNewerDatabase(thrown)) throw toStorageError(thrown);
        throw toAgentError(thrown, 'STORAGE_FAILED');
      }
    },
    async close() {
      page?.close();
      page = undefined;
      (await opened?.catch(() => undefined))?.close();
    },
  };
}
