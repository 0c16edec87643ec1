import { readSummary } from '../rows/rows.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { isSealed } from '../rows/sealed-row.ts';
import { type HeadMark, openMarked, sealHead } from './heads.ts';
import { replaceHead, replaceSession, type RawSession, type Replacement } from './replace-session.ts';
import { type Place, type Sealer, unlessForeign } from './sealer.ts';

/**
 * Encrypts the rows of a session that are not encrypted. Resolves with whether there were such rows.
 *
 * @param mark of its row in the list
 */
export function encryptSession(disk: SessionDisk, sealer: Sealer, sessionId: string, mark: HeadMark): Promise<boolean> {
  return replaceSession(disk, sessionId, (session) => toEncrypted(sealer, sessionId, session, mark));
}

/** Marks the encrypted row of a session in the list: everything in the database is encrypted. A damaged row, or one of another key, stays. */
export async function markSession(disk: SessionDisk, sealer: Sealer, sessionId: string): Promise<void> {
  await replaceSession(disk, sessionId, ({ head }) =>
    replaceHead(head, async (row) => {
      const opened = await unlessForeign(openMarked(sealer, row), undefined);
      return opened?.mark === 'rows' ? sealHead(sealer, readSummary(opened.row), 'all') : undefined;
    }),
  );
}

async function toEncrypted(
  sealer: Sealer,
  sessionId: string,
  { head, log }: RawSession,
  mark: HeadMark,
): Promise<readonly Replacement[]> {
  const heads = await replaceHead(head, async (row) =>
    isSealed(row) ? undefined : sealHead(sealer, readSummary(row), mark),
  );
  const rows = await Promise.all(
    log.rows.map(async (row, index): Promise<readonly Replacement[]> => {
      const key = log.keys[index];
      if (isSealed(row) || key === undefined) return [];
      const place: Place = ['event', sessionId, key[1]];
      return [{ table: 'events', key, value: await sealer.seal(row, place) }];
    }),
  );
  return [...heads, ...rows.flat()];
}
