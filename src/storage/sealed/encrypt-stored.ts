import type { EncryptStoredOptions, EncryptStoredReport } from '../codec.ts';
import { isSealed } from '../indexeddb/sealed-row.ts';
import { encryptSession } from './encrypt-session.ts';
import { updateMeta } from './meta.ts';
import { moveBlob } from './move-blob.ts';
import type { Sealer } from './sealer.ts';
import { changeSessions, clearTexts, keysIn, valueIn, withDatabase } from './stored.ts';

/**
 * Encrypts what a store without a codec has stored. Other tabs may write meanwhile: a session that has changed is read again.
 *
 * Rejects with AgentError `ABORTED`, with `STORAGE_LOCKED` as the codec does, and with other codes of type `STORAGE`.
 */
export function encryptStored(
  sealer: Sealer,
  { name = 'brooklet', ...options }: EncryptStoredOptions,
): Promise<EncryptStoredReport> {
  return withDatabase(name, async (db) => {
    const sessions = await changeSessions(db, options, (id) => encryptSession(db, sealer, id));
    for (const key of await keysIn(db, 'blobs')) await encryptBlob(db, sealer, key);
    for (const key of await keysIn(db, 'meta')) await encryptMeta(db, sealer, key);
    // The texts of searches are made again, encrypted.
    await clearTexts(db, (row) => !isSealed(row));
    return { sessions };
  });
}

/** A blob gets another name: the hash of its content would prove the content. */
async function encryptBlob(db: IDBDatabase, sealer: Sealer, hash: string): Promise<void> {
  const value = await valueIn(db, 'blobs', hash);
  if (value === undefined || isSealed(value)) return;
  const name = await sealer.nameOf(value);
  await moveBlob(db, hash, name, await sealer.seal(value, ['blob', name]));
}

async function encryptMeta(db: IDBDatabase, sealer: Sealer, key: string): Promise<void> {
  const value = await valueIn(db, 'meta', key);
  if (!isSealed(value)) await updateMeta(db, sealer, key, (entry) => entry);
}
