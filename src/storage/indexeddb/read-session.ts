import { isJsonObject } from '../../core/json.ts';
import { toFenceKey } from './keys.ts';
import { type LogRows, readLogRows } from './log-rows.ts';
import type { SessionDisk } from './schema.ts';

/** The rows of a session, unchecked. */
export interface SessionRows {
  /** The row of the list; `undefined` where it is lost. */
  readonly row: unknown;
  /** From the session's fence; 0 where there is no fence. */
  readonly seq: number;
  readonly writeId: string | undefined;
  readonly log: LogRows;
}

/**
 * Reads a session in one transaction. Resolves with `undefined` where there never was such a session, or it was removed. A session of
 * which only a part is left (its row, its fence or its events) is there, and damaged.
 *
 * @param after only rows of events with a greater `seq`
 * @param needsKeys as of `readLogRows`
 */
export async function readSession(
  disk: SessionDisk,
  sessionId: string,
  after: number,
  needsKeys: boolean = false,
): Promise<SessionRows | undefined> {
  return disk.run(['fences', 'list', 'events', 'covers', 'refs'], 'readonly', async (transaction) => {
    const [fence, row, log] = await Promise.all([
      transaction.objectStore('fences').index('id').getKey(sessionId),
      transaction.objectStore('list').get(sessionId),
      readLogRows(transaction, sessionId, after, needsKeys),
    ]);
    const [, seq, writeId] = toFenceKey(fence);
    const isRemoved = isJsonObject(row) ? row.seq === 0 : fence !== undefined && seq === 0;
    const isThere = isJsonObject(row) || seq > 0 || log.rows.length > 0;
    return isThere && !isRemoved ? { row, seq, writeId, log } : undefined;
  });
}
