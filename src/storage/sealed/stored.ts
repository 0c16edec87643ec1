import { fail } from '../../core/error.ts';
import type { EncryptStoredOptions } from '../codec.ts';
import { openDatabase } from '../indexeddb/open-database.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { toStorageError } from '../storage-errors.ts';

// What `encryptStored` and `decryptStored` have in common: the way through everything in a database.

/** Opens a database for the time of `work`. Rejects with AgentErrors of type `STORAGE`, and with those of `work`. */
export async function withDatabase<T>(name: string, work: (db: IDBDatabase) => Promise<T>): Promise<T> {
  const { database, timeout } = openDatabase(name, () => {});
  const db = await Promise.race([database, timeout]).catch((thrown: unknown) => {
    throw toStorageError(thrown, 'STORAGE_UNAVAILABLE');
  });
  // Another connection that upgrades or deletes the database does not wait for this one.
  db.addEventListener('versionchange', () => db.close());
  try {
    return await work(db);
  } catch (thrown) {
    throw toStorageError(thrown);
  } finally {
    db.close();
  }
}

/**
 * Calls `change` for each session, one after the other, and resolves with how many of them were changed. Rejects with AgentError `ABORTED`
 * between two sessions.
 *
 * @param change resolves with whether it has changed something
 */
export async function changeSessions(
  db: IDBDatabase,
  { signal, onProgress }: Pick<EncryptStoredOptions, 'signal' | 'onProgress'>,
  change: (sessionId: string) => Promise<boolean>,
): Promise<number> {
  const ids = await sessionIds(db);
  let changed = 0;
  for (const [index, id] of ids.entries()) {
    if (signal?.aborted) fail('ABORTED', 'The work on stored sessions was cancelled by its signal.');
    if (await change(id)) changed++;
    onProgress?.({ done: index + 1, total: ids.length });
  }
  return changed;
}

/** Returns the keys of a table; of a key of several parts the first one, the id of a session. */
export async function keysIn(db: IDBDatabase, table: string): Promise<readonly string[]> {
  const transaction = db.transaction(table);
  const request = transaction.objectStore(table).getAllKeys();
  await transactionDone(transaction);
  return request.result.flatMap((key) => {
    const first: unknown = Array.isArray(key) ? key[0] : key;
    return typeof first === 'string' ? [first] : [];
  });
}

export async function valueIn(db: IDBDatabase, table: string, key: string): Promise<unknown> {
  const transaction = db.transaction(table);
  const request: IDBRequest<unknown> = transaction.objectStore(table).get(key);
  await transactionDone(transaction);
  return request.result;
}

/** Also of removed sessions, whose events are stored until their undo window ends. */
async function sessionIds(db: IDBDatabase): Promise<readonly string[]> {
  return Array.from(new Set([...(await keysIn(db, 'sessions')), ...(await keysIn(db, 'fences'))]));
}

/** Erases the texts of searches for which `isOutdated` is true: the next search makes them again. */
export async function clearTexts(db: IDBDatabase, isOutdated: (row: unknown) => boolean): Promise<void> {
  const transaction = db.transaction('texts', 'readwrite');
  const request = transaction.objectStore('texts').openCursor();
  request.addEventListener('success', () => {
    const found = request.result;
    if (found === null) return;
    if (isOutdated(found.value)) found.delete();
    found.continue();
  });
  await transactionDone(transaction);
}
