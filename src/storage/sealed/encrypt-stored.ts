import type { EncryptStoredOptions, EncryptStoredReport } from '../codec.ts';
import { rescueKey, type SessionDisk } from '../indexeddb/schema.ts';
import { isSealed } from '../rows/sealed-row.ts';
import { encryptSession, markSession } from './encrypt-session.ts';
import { updateMeta } from './meta.ts';
import { moveBlob } from './move-blob.ts';
import { isAllSealed, newestHeads, noteAll } from './note.ts';
import type { Sealer } from './sealer.ts';
import { changeSessions, clearTexts, keysIn, valueIn, withDatabase } from './stored.ts';

/**
 * Encrypts what a store without a codec has stored. Other tabs may write meanwhile: a session that has changed is read again.
 *
 * Where a note says that everything is encrypted, what is not was written by somebody without the key: it stays as it is, and is damage.
 *
 * Rejects with AgentError `ABORTED`, with `STORAGE_LOCKED` as the codec does, and with other codes of type `STORAGE`.
 */
export function encryptStored(
  sealer: Sealer,
  { name = 'brooklet', ...options }: EncryptStoredOptions,
): Promise<EncryptStoredReport> {
  return withDatabase(name, async (disk) => {
    if (await isAllSealed(disk, sealer)) return { sessions: 0 };
    // Not `all` yet: another start, in a tab beside this one or after a reload, would take the work for done.
    const sessions = await changeSessions(disk, options, (id) => encryptSession(disk, sealer, id, 'rows'));
    for (const key of await keysIn(disk, 'blobs')) await encryptBlob(disk, sealer, key);
    for (const key of await keysIn(disk, 'meta')) await encryptMeta(disk, sealer, key);
    // The texts of searches are made again, encrypted.
    await clearTexts(disk, (row) => !isSealed(row));
    await markNewest(disk, sealer);
    await noteAll(disk, sealer);
    return { sessions };
  });
}

/** Marks the rows of the list that are looked at where the note is missing. Invariant: everything is encrypted before. */
async function markNewest(disk: SessionDisk, sealer: Sealer): Promise<void> {
  for (const { sessionId } of await newestHeads(disk)) await markSession(disk, sealer, sessionId);
}

/** A blob gets another name: the hash of its content would prove the content. */
async function encryptBlob(disk: SessionDisk, sealer: Sealer, hash: string): Promise<void> {
  const value = await valueIn(disk, 'blobs', hash);
  if (value === undefined || isSealed(value)) return;
  const name = await sealer.nameOf(value);
  await moveBlob(disk, hash, name, await sealer.seal(value, ['blob', name]));
}

async function encryptMeta(disk: SessionDisk, sealer: Sealer, key: string): Promise<void> {
  const value = await valueIn(disk, 'meta', key);
  if (!isSealed(value) && key !== rescueKey) await updateMeta(disk, sealer, key, (entry) => entry, false);
}
