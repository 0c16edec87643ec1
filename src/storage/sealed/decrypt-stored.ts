import { AgentError } from '../../core/error.ts';
import { createChanges } from '../changes.ts';
import type { DecryptStoredOptions, DecryptStoredReport } from '../codec.ts';
import { blobNameOf } from '../indexeddb/blob-name.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { isSealed } from '../rows/sealed-row.ts';
import { decryptMeta } from './meta.ts';
import { moveBlob } from './move-blob.ts';
import { eraseNote, noteKey, noteOpen } from './note.ts';
import { type Sealer, unlessForeign } from './sealer.ts';
import { changeSessions, clearTexts, keysIn, valueIn, withDatabase } from './stored.ts';
import { isJsonObject } from '../../core/json.ts';
import { isSummary } from '../rows/rows.ts';
import { withMark } from '../rows/waiting-mark.ts';
import { openHead } from './heads.ts';
import { openLog } from './logs.ts';
import { replaceHead, replaceSession, type RawSession, type Replacement } from './replace-session.ts';

/**
 * Decrypts what stores with a codec have stored. Other tabs may write meanwhile: a session that has changed is read again.
 *
 * Invariant: a session that is not encrypted has no encrypted blob, so that a store without a codec reads it whole. Therefore blobs are
 * decrypted before sessions.
 *
 * Rejects with AgentError `ABORTED`, with `STORAGE_LOCKED` as the codec does, and with other codes of type `STORAGE`. What was encrypted
 * with another key stays as it is, and the promise rejects with `STORAGE_LOCKED` when everything else is decrypted.
 */
export function decryptStored(
  sealer: Sealer,
  { name = 'brooklet', ...options }: DecryptStoredOptions,
): Promise<DecryptStoredReport> {
  const changes = createChanges(name);
  /** What was encrypted with another key. */
  let left = 0;

  /** Resolves with whether something was decrypted. */
  async function count(decrypting: Promise<boolean>): Promise<boolean> {
    const isDecrypted = await unlessForeign(decrypting, undefined);
    if (isDecrypted === undefined) left++;
    return isDecrypted ?? false;
  }

  return withDatabase(name, async (disk) => {
    await noteOpen(disk, sealer);
    for (const key of await keysIn(disk, 'blobs')) await count(decryptBlob(disk, sealer, key));
    const sessions = await changeSessions(disk, options, async (id) => {
      const isDecrypted = await count(decryptSession(disk, sealer, id));
      // A store without the codec has refused to open the session, and lists it without its title.
      if (isDecrypted) changes.notify(id);
      return isDecrypted;
    });
    for (const key of await keysIn(disk, 'meta')) if (key !== noteKey) await count(decryptMeta(disk, sealer, key));
    await eraseNote(disk, sealer);
    if (left > 0) throw otherKey(left);
    await clearTexts(disk, isSealed);
    return { sessions };
  }).finally(changes.close);
}

/** A blob gets the name that a store without a codec gives to equal content. Resolves with whether it was encrypted. */
async function decryptBlob(disk: SessionDisk, sealer: Sealer, name: string): Promise<boolean> {
  const row = await valueIn(disk, 'blobs', name);
  if (!isSealed(row)) return false;
  const value = await sealer.openSealed(row, ['blob', name]);
  await moveBlob(disk, name, value === undefined ? name : await blobNameOf(value), value);
  return true;
}

function otherKey(count: number): AgentError {
  const what =
    count === 1 ? 'One session, attachment or entry stays' : `${count} sessions, attachments or entries stay`;
  return new AgentError(`${what} encrypted, with another key. Everything else is decrypted.`, {
    code: 'STORAGE_LOCKED',
  });
}

/**
 * Decrypts the encrypted rows of a session. Resolves with whether there were such rows.
 *
 * A row that was changed, or moved to another place, cannot be decrypted: it is replaced by a row without content, which `read` reports
 * as damage. Rejects as the codec does, and changes nothing then.
 */
function decryptSession(disk: SessionDisk, sealer: Sealer, sessionId: string): Promise<boolean> {
  return replaceSession(disk, sessionId, (session) => toDecrypted(sealer, session));
}

async function toDecrypted(sealer: Sealer, { head, log }: RawSession): Promise<readonly Replacement[]> {
  const heads = await replaceHead(head, async (row) => (isSealed(row) ? toPlainHead(sealer, row) : undefined));
  const values = await openLog(sealer, log);
  const rows = log.rows.flatMap((row, index): readonly Replacement[] => {
    const key = log.keys[index];
    return isSealed(row) && key ? [{ table: 'events', key, value: values[index] ?? null }] : [];
  });
  return [...heads, ...rows];
}

/** Of a damaged row, what its keys are made of remains. */
async function toPlainHead(sealer: Sealer, row: object): Promise<object> {
  const head = await openHead(sealer, row);
  if (isJsonObject(head) && !isSealed(head)) return isSummary(head) ? withMark(head, head) : head;
  const { codec: _codec, sealed: _sealed, ...keys } = { codec: undefined, sealed: undefined, ...row };
  return keys;
}
