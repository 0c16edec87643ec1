import { fail } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { isBlobRef, type Path } from './blobs.ts';
import { lostEvents, rangeText } from '../rows/lost-events.ts';
import { isSummary, readSummary } from '../rows/rows.ts';
import { isSealed } from '../rows/sealed-row.ts';
import type { SessionDisk } from './schema.ts';

/** The rows of a session, unchecked. */
interface RawSession {
  readonly sessionId: string;
  /** Only events with a greater `seq` were read. */
  readonly after: number;
  /** From the session's fence; 0 or missing where there is no fence. */
  readonly seq: number | undefined;
  readonly writeId: string | undefined;
  readonly row: unknown;
  readonly events: readonly SessionEvent[];
  /** Events that cannot be read. */
  readonly unread: readonly unknown[];
  readonly refs: readonly unknown[];
}

/** Returns the value of each reference, `undefined` where it is missing. */
type ReadBlobs = (disk: SessionDisk, refs: readonly unknown[]) => Promise<readonly unknown[]>;

/**
 * Returns a session with its blobs back in its events, and with a description of its damage where it has some.
 *
 * @param openBlobs returns what `readBlobs` returns, decrypted; without it an encrypted session rejects with AgentError `STORAGE_LOCKED`
 */
export async function unpack(
  disk: SessionDisk,
  { sessionId, after, seq, writeId, row, events, unread, refs }: RawSession,
  openBlobs?: ReadBlobs,
): Promise<StoredSession> {
  const values = await (openBlobs ?? readBlobs)(disk, refs);
  if (!openBlobs && [row, ...values, ...unread].some(isSealed))
    fail('STORAGE_LOCKED', 'The session is encrypted: pass its codec to the store.');
  const missing = fill(events, refs, values);
  const damage = [
    ...(isSummary(row) ? [] : ['its row']),
    ...(seq ? [] : ['the mark of its end']),
    // An unreadable row leaves a gap, too.
    ...(unread.length > 0 ? [`${unread.length} of its events`] : lostEvents(events, after, seq ?? 0).map(rangeText)),
    ...(missing > 0 ? [`${missing} of its attachments`] : []),
  ].join(', ');
  const head = readSummary(row ?? { id: sessionId });
  const summary = { ...head, seq: seq || head.seq };
  return { summary, events, ...defined({ writeId }), ...(damage && { damage }) };
}

const readBlobs: ReadBlobs = (disk, refs) =>
  disk.run(['blobs'], 'readonly', (transaction) =>
    Promise.all(refs.map(async (ref) => isBlobRef(ref) && transaction.objectStore('blobs').get(ref.hash))),
  );

/** Puts blobs back into events. Returns the number of blobs that are missing. */
function fill(events: readonly SessionEvent[], refs: readonly unknown[], values: readonly unknown[]): number {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return refs.filter((ref, index) => {
    const value = values[index];
    return !isBlobRef(ref) || !putBack(bySeq.get(ref.seq), ref.path, value) || value === undefined;
  }).length;
}

/** Sets the value at a path. Returns whether the path exists and has the place of a blob: what is written there is never replaced. */
function putBack(event: unknown, [key = '', ...rest]: Path, value: unknown): boolean {
  if (typeof event !== 'object' || event === null || !Object.hasOwn(event, key)) return false;
  // A row written by hand may contain the key `__proto__`: the property is defined, never assigned.
  return rest.length > 0
    ? putBack(Reflect.get(event, key), rest, value)
    : Reflect.get(event, key) === null && Reflect.defineProperty(event, key, { value });
}
