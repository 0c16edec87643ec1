import { isJsonObject } from '../../core/json.ts';
import { isSummary } from '../rows/rows.ts';
import { isSealed } from '../rows/sealed-row.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { withMark } from '../rows/waiting-mark.ts';
import { openHead } from './heads.ts';
import { openLog } from './logs.ts';
import { replaceHead, replaceSession, type RawSession, type Replacement } from './replace-session.ts';
import type { Sealer } from './sealer.ts';

/**
 * Decrypts the encrypted rows of a session. Resolves with whether there were such rows.
 *
 * A row that was changed, or moved to another place, cannot be decrypted: it is replaced by a row without content, which `read` reports
 * as damage. Rejects as the codec does, and changes nothing then.
 */
export function decryptSession(disk: SessionDisk, sealer: Sealer, sessionId: string): Promise<boolean> {
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
