import { fail } from '../../core/error.ts';
import type { EncryptStoredOptions, EncryptStoredReport } from '../codec.ts';
import { isBlobRef } from '../indexeddb/blobs.ts';
import { openDatabase } from '../indexeddb/open-database.ts';
import { isSealed } from '../indexeddb/sealed-row.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { toStorageError } from '../storage-errors.ts';
import { encryptSession } from './encrypt-session.ts';
import { updateMeta } from './meta.ts';
import type { Sealer } from './sealer.ts';

/**
 * Encrypts what a store without a codec has stored. Other tabs may write meanwhile: a session that has changed is read again.
 *
 * Rejects with AgentError `ABORTED`, with `STORAGE_LOCKED` as the codec does, and with other codes of type `STORAGE`.
 */
export async function encryptStored(
  sealer: Sealer,
  { name = 'brooklet', signal, onProgress }: EncryptStoredOptions,
): Promise<EncryptStoredReport> {
  const { database, timeout } = openDatabase(name, () => {});
  const db = await Promise.race([database, timeout]).catch((thrown: unknown) => {
    throw toStorageError(thrown, 'STORAGE_UNAVAILABLE');
  });
  // Another connection that upgrades or deletes the database does not wait for this one.
  db.addEventListener('versionchange', () => db.close());
  try {
    const ids = await sessionIds(db);
    let sessions = 0;
    for (const [index, id] of ids.entries()) {
      if (signal?.aborted) fail('ABORTED', 'The encryption of stored sessions was cancelled by its signal.');
      if (await encryptSession(db, sealer, id)) sessions++;
      onProgress?.({ done: index + 1, total: ids.length });
    }
    for (const key of await keysIn(db, 'blobs')) await encryptBlob(db, sealer, key);
    for (const key of await keysIn(db, 'meta')) await encryptMeta(db, sealer, key);
    await clearTexts(db);
    return { sessions };
  } catch (thrown) {
    throw toStorageError(thrown);
  } finally {
    db.close();
  }
}

/** Returns the keys of a table; of a key of several parts the first one, the id of a session. */
async function keysIn(db: IDBDatabase, table: string): Promise<readonly string[]> {
  const transaction = db.transaction(table);
  const request = transaction.objectStore(table).getAllKeys();
  await transactionDone(transaction);
  return request.result.flatMap((key) => {
    const first: unknown = Array.isArray(key) ? key[0] : key;
    return typeof first === 'string' ? [first] : [];
  });
}

async function valueIn(db: IDBDatabase, table: string, key: string): Promise<unknown> {
  const transaction = db.transaction(table);
  const request: IDBRequest<unknown> = transaction.objectStore(table).get(key);
  await transactionDone(transaction);
  return request.result;
}

/** Also of removed sessions, whose events are stored until their undo window ends. */
async function sessionIds(db: IDBDatabase): Promise<readonly string[]> {
  return Array.from(new Set([...(await keysIn(db, 'sessions')), ...(await keysIn(db, 'fences'))]));
}

/** A blob gets another name: the hash of its content would prove the content. */
async function encryptBlob(db: IDBDatabase, sealer: Sealer, hash: string): Promise<void> {
  const value = await valueIn(db, 'blobs', hash);
  if (value === undefined || isSealed(value)) return;
  const name = await sealer.nameOf(value);
  const sealed = await sealer.seal(value, ['blob', name]);
  const transaction = db.transaction(['blobs', 'refs'], 'readwrite');
  const refs = transaction.objectStore('refs');
  const request = refs.index('hash').openCursor(IDBKeyRange.only(hash));
  request.addEventListener('success', () => {
    const found = request.result;
    if (found === null) return;
    if (isBlobRef(found.value)) found.update({ ...found.value, hash: name });
    found.continue();
  });
  transaction.objectStore('blobs').put(sealed, name);
  transaction.objectStore('blobs').delete(hash);
  await transactionDone(transaction);
}

async function encryptMeta(db: IDBDatabase, sealer: Sealer, key: string): Promise<void> {
  const value = await valueIn(db, 'meta', key);
  if (!isSealed(value)) await updateMeta(db, sealer, key, (entry) => entry);
}

/** The texts of searches are made again, encrypted. */
async function clearTexts(db: IDBDatabase): Promise<void> {
  const transaction = db.transaction('texts', 'readwrite');
  const texts = transaction.objectStore('texts');
  const request = texts.openCursor();
  request.addEventListener('success', () => {
    const found = request.result;
    if (found === null) return;
    if (!isSealed(found.value)) found.delete();
    found.continue();
  });
  await transactionDone(transaction);
}
