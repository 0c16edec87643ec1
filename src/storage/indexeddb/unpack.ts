import type { SessionEvent } from '../../core/model/event.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { isBlobRef, type Path } from './blobs.ts';
import { isHead, readHead } from './rows.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './in-transaction.ts';

/** What has been read of a session, before anybody has looked at it. */
export interface RawSession {
  readonly sessionId: string;
  /** As its fence says; missing or 0 where there is none. */
  readonly seq: number | undefined;
  readonly row: unknown;
  readonly events: readonly SessionEvent[];
  /** Events that cannot be read. */
  readonly unread: number;
  readonly refs: readonly unknown[];
}

/** A session with attachments put back to their places, or one that is damaged: loaded when there is one. */
export async function unpack(
  db: Database,
  { sessionId, seq, row, events, unread, refs }: RawSession,
): Promise<StoredSession> {
  const missing = refs.length === 0 ? 0 : await fill(db, events, refs);
  const damage = [
    ...(isHead(row) ? [] : ['its row']),
    ...(seq ? [] : ['the mark of its end']),
    ...(unread > 0 ? [`${unread} of its events`] : []),
    ...(missing > 0 ? [`${missing} of its attachments`] : []),
  ].join(', ');
  const head = readHead(row ?? { id: sessionId });
  return { summary: { ...head, seq: seq || head.seq }, events, ...(damage && { damage }) };
}

/** Gives how many blobs are missing. */
async function fill(db: Database, events: readonly SessionEvent[], refs: readonly unknown[]): Promise<number> {
  const values = await inTransaction(db, 'readonly', (transaction) =>
    Promise.all(refs.map(async (ref) => isBlobRef(ref) && transaction.objectStore('blobs').get(ref.hash))),
  );
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return refs.filter((ref, index) => {
    const value = values[index];
    return !isBlobRef(ref) || !putBack(bySeq.get(ref.seq), ref.path, value) || value === undefined;
  }).length;
}

/** Gives whether there is such a place. */
function putBack(event: unknown, [key = '', ...rest]: Path, value: unknown): boolean {
  if (typeof event !== 'object' || event === null || !Object.hasOwn(event, key)) return false;
  // A key may be `__proto__` where somebody has written into the database by hand: it is defined, never assigned.
  return rest.length > 0
    ? putBack(Reflect.get(event, key), rest, value)
    : Reflect.defineProperty(event, key, { value, enumerable: true, configurable: true, writable: true });
}
