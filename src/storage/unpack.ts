import { isJsonObject } from '../core/json.ts';
import type { SessionEvent } from '../core/log/event.ts';
import type { StoredSession } from '../core/log/store.ts';
import { isBlobRef, type Path } from './blobs.ts';
import { isEvent, isHead, readHead } from './rows.ts';
import type { Database } from './schema.ts';
import { within } from './within.ts';

/** What has been read of a session, before anybody has looked at it. */
export interface RawSession {
  readonly row: unknown;
  readonly events: readonly unknown[];
  readonly refs: readonly unknown[];
}

/** A session with attachments put back to their places, or one that is damaged: loaded when there is one. */
export async function unpack(db: Database, { row, events, refs }: RawSession): Promise<StoredSession> {
  const missing = refs.length === 0 ? 0 : await fill(db, events, refs);
  const readable: readonly SessionEvent[] = events.filter(isEvent);
  const unread = events.length - readable.length;
  const damage = [
    ...(isHead(row) ? [] : ['its row']),
    ...(unread > 0 ? [`${unread} of its events`] : []),
    ...(missing > 0 ? [`${missing} of its attachments`] : []),
  ].join(', ');
  return { head: readHead(row), events: readable, ...(damage && { damage }) };
}

/** Gives how many blobs are missing. */
async function fill(db: Database, events: readonly unknown[], refs: readonly unknown[]): Promise<number> {
  const values = await within(db, 'readonly', (transaction) =>
    Promise.all(refs.map(async (ref) => isBlobRef(ref) && transaction.objectStore('blobs').get(ref.hash))),
  );
  const bySeq = new Map(events.map((event) => [isJsonObject(event) ? event.seq : undefined, event]));
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
