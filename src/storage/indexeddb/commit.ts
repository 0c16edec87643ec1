import type { SessionWrite } from '../../core/model/store.ts';
import type { BlobRef, Packed } from './blobs.ts';
import { transactionDone } from './transaction-done.ts';
import { fenceKey, keysOf, toFenceKey } from './keys.ts';
import { toRows } from './to-rows.ts';
import { conflict } from '../storage-errors.ts';

/** A write as it is put into rows: of the events and the row of the list, only the numbers are read. */
export interface RowsWrite extends Omit<SessionWrite, 'events' | 'summary'> {
  readonly events: readonly { readonly seq: number }[];
  readonly summary: { readonly seq: number };
}

/** Rows added without a pause: some dozens of ms. */
const chunk = 1_000;
/** The same, of rows of up to 32,000 characters. */
const settledChunk = 64;

/**
 * Puts one write into one transaction, within this call, and settles with the transaction. Resolves with the references that
 * were removed: their blobs may be unused now.
 *
 * Rejects with the transaction's DOMException (`ConstraintError` where the fence is not the expected one), or with
 * AgentError `STORAGE_CONFLICT` where there is no fence.
 *
 * @param isKnown whether this connection has seen a fence of the session. Where the write also names the last write, or the session is
 *   new, a failing `add` alone reports a wrong fence (see schema.ts), and nothing has to be awaited. Otherwise only a read can detect
 *   that the fence is missing or another one.
 */
export function commit(
  db: IDBDatabase,
  { sessionId, expectedSeq, writeId, expectedWriteId, replaces = [], events, summary, durability, phase }: RowsWrite,
  isKnown: boolean,
  packed?: Packed,
): Promise<readonly unknown[]> {
  const transaction = db.transaction(['fences', 'sessions', 'events', 'refs', 'blobs'], 'readwrite', { durability });
  const fences = transaction.objectStore('fences');
  const sessions = transaction.objectStore('sessions');
  const log = transaction.objectStore('events');
  const refs = transaction.objectStore('refs');
  /** References that this write removes. */
  const lost: IDBRequest<unknown[]>[] = [];

  async function put(): Promise<void> {
    let fence = fenceKey(sessionId, expectedSeq, expectedWriteId);
    if (expectedSeq > 0 && !(isKnown && expectedWriteId !== undefined)) {
      const look = fences.index('id').getKey(sessionId);
      await success(look);
      fence = toFenceKey(look.result);
      if (fence[1] !== expectedSeq || (expectedWriteId ?? fence[2]) !== fence[2]) throw conflict();
    }
    fences.delete(fence);
    fences.add(sessionId, fenceKey(sessionId, summary.seq, writeId));
    // While a text streams, the list's row would be as big as the rest of the write.
    if (phase !== 'streaming' || expectedSeq === 0) {
      sessions.delete(keysOf(sessionId));
      sessions.add(summary);
    }
    // A new session may take the id of one that was removed and not yet purged, whose events are still stored.
    const ranges = expectedSeq === 0 ? [keysOf(sessionId)] : replaces.map(([from, to]) => keysOf(sessionId, from, to));
    for (const range of ranges) {
      log.delete(range);
      lost.push(refs.getAll(range));
      refs.delete(range);
    }
    packed?.blobs.forEach((value, hash) => transaction.objectStore('blobs').put(value, hash));
    packed?.refs.forEach((ref: BlobRef, index) => refs.add(ref, [sessionId, ref.seq, index]));
    const values = packed?.rows ?? events;
    const rows =
      phase === 'settled' ? toRows(events, values) : events.map(({ seq }, index) => ({ seq, value: values[index] }));
    let count = 0;
    for (const { seq, value } of rows) {
      // `add`, not `put`: stored events are never edited.
      const added = log.add(value, [sessionId, seq]);
      // A long write would block the page. The pending request keeps the transaction alive.
      if (++count % (phase === 'settled' ? settledChunk : chunk) === 0) await success(added);
    }
    // Without `commit` the browser commits only after this page has handled every request, and a page that is unloaded does not.
    transaction.commit();
  }

  const putting = put().catch((thrown: unknown) => {
    try {
      // One failed request undoes the whole write.
      transaction.abort();
    } catch {
      // The transaction has been aborted already.
    }
    throw thrown;
  });
  return Promise.all([transactionDone(transaction), putting]).then(() => lost.flatMap(({ result }) => result));
}

function success(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve) => request.addEventListener('success', resolve));
}
