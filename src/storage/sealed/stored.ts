import type { StoreNames } from 'idb';
import { fail } from '../../core/error.ts';
import type { EncryptStoredOptions } from '../codec.ts';
import { createDisk } from '../disk.ts';
import { openDatabase } from '../indexeddb/open-database.ts';
import { tidyUpgraded } from '../indexeddb/idle-work.ts';
import type { Schema, SessionDisk } from '../indexeddb/schema.ts';
import { createPageLife } from '../page-life.ts';
import { toStorageError } from '../storage-errors.ts';

// What `encryptStored` and `decryptStored` have in common: the way through everything in a database.

/** Opens a database for the time of `work`. Rejects with AgentErrors of type `STORAGE`, and with those of `work`. */
export async function withDatabase<T>(name: string, work: (disk: SessionDisk) => Promise<T>): Promise<T> {
  const { database, timeout } = openDatabase(name, () => {});
  const db = await Promise.race([database, timeout]).catch((thrown: unknown) => {
    throw toStorageError(thrown, 'STORAGE_UNAVAILABLE');
  });
  // Another connection that upgrades or deletes the database does not wait for this one.
  db.addEventListener('versionchange', () => db.close());
  const page = createPageLife();
  try {
    const disk = createDisk(db, page);
    // No row of an older version may remain in its old form.
    await tidyUpgraded(disk);
    return await work(disk);
  } catch (thrown) {
    throw toStorageError(thrown);
  } finally {
    page.close();
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
  disk: SessionDisk,
  { signal, onProgress }: Pick<EncryptStoredOptions, 'signal' | 'onProgress'>,
  change: (sessionId: string) => Promise<boolean>,
): Promise<number> {
  const ids = await sessionIds(disk);
  let changed = 0;
  for (const [index, id] of ids.entries()) {
    if (signal?.aborted) fail('ABORTED', 'The work on stored sessions was cancelled by its signal.');
    if (await change(id)) changed++;
    onProgress?.({ done: index + 1, total: ids.length });
  }
  return changed;
}

/** Returns the keys of a table; of a key of several parts the first one, the id of a session. */
export async function keysIn(disk: SessionDisk, table: StoreNames<Schema>): Promise<readonly string[]> {
  const keys: readonly IDBValidKey[] = await disk.run([table], 'readonly', (transaction) =>
    transaction.objectStore(table).getAllKeys(),
  );
  return keys.flatMap((key) => {
    const first: unknown = Array.isArray(key) ? key[0] : key;
    return typeof first === 'string' ? [first] : [];
  });
}

export function valueIn(disk: SessionDisk, table: 'blobs' | 'meta', key: string): Promise<unknown> {
  return disk.run([table], 'readonly', (transaction) => transaction.objectStore(table).get(key));
}

/** Also of removed sessions, whose events are stored until their undo window ends. */
async function sessionIds(disk: SessionDisk): Promise<readonly string[]> {
  return Array.from(new Set([...(await keysIn(disk, 'list')), ...(await keysIn(disk, 'fences'))]));
}

/** Erases the texts of searches for which `isOutdated` is true: the next search makes them again. */
export function clearTexts(disk: SessionDisk, isOutdated: (row: unknown) => boolean): Promise<void> {
  return disk.run(['texts'], 'readwrite', async (transaction) => {
    const texts = transaction.objectStore('texts');
    const [keys, rows] = await Promise.all([texts.getAllKeys(), texts.getAll()]);
    await Promise.all(keys.filter((_key, index) => isOutdated(rows[index])).map((key) => texts.delete(key)));
  });
}
