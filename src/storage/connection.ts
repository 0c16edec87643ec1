import { openDB, unwrap, type IDBPDatabase } from 'idb';
import { AgentError } from '../core/error.ts';
import { schemaVersion, upgrade, type Schema } from './schema.ts';
import { isConnectionLost, isInternalError, toStorageError } from './trouble.ts';

export type Database = IDBPDatabase<Schema>;

export interface ConnectionOptions {
  readonly name: string;
  /** ms until an open that does not answer is given up. */
  readonly openTimeout: number;
  readonly onTrouble: (trouble: AgentError) => void;
}

/** One database, opened when it is first needed, and again when the browser took it away. */
export interface Connection {
  /**
   * Runs `work` on the open database, within this very call where it is open already. Where the connection turns out to
   * be lost, `work` runs once more on a new one.
   *
   * @throws AgentError `STORAGE_BLOCKED`, `STORAGE_UNAVAILABLE`, or what `toStorageError` makes of the work's own
   */
  attempt<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Lets transactions that have begun come to their end; from here on every attempt is refused. */
  close(): void;
}

export function createConnection({ name, openTimeout, onTrouble }: ConnectionOptions): Connection {
  let db: Database | undefined;
  let opening: Promise<Database> | undefined;
  /** Opens that may still fail before nobody asks the browser again: a broken profile must not be hammered. */
  let triesLeft = 3;
  /** Why every attempt is refused from now on. */
  let refusal: AgentError | undefined;

  async function attempt<T>(work: (db: Database) => Promise<T>, again = true): Promise<T> {
    if (refusal) throw refusal;
    // No await where the database is open: a write in `pagehide` has only this call.
    const current = db ?? (await open());
    try {
      return await work(current);
    } catch (thrown) {
      const error = toStorageError(thrown);
      const lost = isConnectionLost(thrown);
      // After a full disk Firefox refuses everything until the database is opened anew.
      if (lost || error.code === 'QUOTA_EXCEEDED') drop(current);
      if (lost && again) return attempt(work, false);
      throw error;
    }
  }

  function open(): Promise<Database> {
    // While one hangs, whoever comes waits for it, or learns at once that it has been given up.
    return (opening ??= new Promise<Database>((resolve, reject) => {
      let isBlocked = false;
      const watchdog = setTimeout(() => reject(isBlocked ? blocked(name) : silent(name, openTimeout)), openTimeout);
      const onBlocked = (): void => {
        isBlocked = true;
        onTrouble(blocked(name));
      };
      void openNow(onBlocked)
        .then(resolve, reject)
        .finally(() => clearTimeout(watchdog));
    }));
  }

  async function openNow(onBlocked: () => void): Promise<Database> {
    try {
      const opened = await tryToOpen(onBlocked);
      if (refusal) {
        opened.close();
        throw refusal;
      }
      triesLeft = 3;
      db = opened;
      return opened;
    } catch (thrown) {
      const error = toStorageError(thrown, 'STORAGE_UNAVAILABLE');
      if (triesLeft <= 0) refusal ??= error;
      throw error;
    } finally {
      opening = undefined;
    }
  }

  async function tryToOpen(onBlocked: () => void): Promise<Database> {
    // `typeof`: where there is none the name itself throws.
    if (typeof indexedDB === 'undefined') throw missing();
    try {
      return await openDB<Schema>(name, schemaVersion, {
        upgrade: (opened, from, _to, transaction) => upgrade(unwrap(opened), unwrap(transaction), from),
        blocked: onBlocked,
        blocking(_from, to) {
          // Told before it closes, so that a last write that starts in there still goes through.
          if (to !== null) onTrouble(outdated(name));
          db?.close();
          db = undefined;
          // No version: the database is being deleted, and may be made anew.
          if (to !== null) refusal ??= outdated(name);
        },
        terminated() {
          db = undefined;
          onTrouble(terminated(name));
        },
      });
    } catch (thrown) {
      triesLeft -= 1;
      if (isInternalError(thrown) && triesLeft > 0) return tryToOpen(onBlocked);
      throw thrown;
    }
  }

  function drop(lost: Database): void {
    lost.close();
    if (db === lost) db = undefined;
  }

  return {
    attempt,
    close() {
      refusal = new AgentError(`The store "${name}" has been closed.`, { code: 'STORAGE_UNAVAILABLE' });
      db?.close();
      db = undefined;
    },
  };
}

const missing = (): AgentError =>
  new AgentError('This page has no IndexedDB: nothing can be stored.', { code: 'STORAGE_UNAVAILABLE' });

const silent = (name: string, ms: number): AgentError =>
  new AgentError(`The browser has not opened the database "${name}" within ${ms} ms. Reload the page.`, {
    code: 'STORAGE_UNAVAILABLE',
    retryable: true,
  });

const blocked = (name: string): AgentError =>
  new AgentError(`Another tab holds an older version of the database "${name}" open. Close or reload that tab.`, {
    code: 'STORAGE_BLOCKED',
  });

const outdated = (name: string): AgentError =>
  new AgentError(`A newer version of this page is open and needs the database "${name}". Reload this tab.`, {
    code: 'STORAGE_BLOCKED',
    retryable: false,
  });

const terminated = (name: string): AgentError =>
  new AgentError(`The browser closed the database "${name}", perhaps because site data were cleared.`, {
    code: 'STORAGE_FAILED',
  });
