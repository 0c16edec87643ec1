import type { SessionWrite } from '../../core/model/store.ts';
import type { BlobRef, Packed } from './blobs.ts';
import { transactionDone } from './transaction-done.ts';
import { keysOf } from './keys.ts';
import { toRows } from './to-rows.ts';
import { conflict } from '../storage-errors.ts';

/** Rows put in one go: some dozens of ms. */
const chunk = 1_000;

/**
 * Puts one write into one transaction, all of it within this call, and settles when the transaction has. Gives the blobs that have
 * lost a reference.
 *
 * `isKnown`: the fence has been seen on this connection, or is new. Then `add` alone tells whether it is still the expected
 * one (see schema.ts), and nothing has to be awaited. Otherwise it may be missing altogether, which only a look can tell.
 *
 * @throws DOMException of the transaction (`ConstraintError` where the fence is not the expected one), AgentError `STORAGE_CONFLICT`
 */
export function commit(
  db: IDBDatabase,
  { sessionId, expectedSeq, replaces = [], events, summary, durability, phase }: SessionWrite,
  isKnown: boolean,
  packed?: Packed,
): Promise<readonly unknown[]> {
  const transaction = db.transaction(['fences', 'sessions', 'events', 'refs', 'blobs'], 'readwrite', { durability });
  const fences = transaction.objectStore('fences');
  const sessions = transaction.objectStore('sessions');
  const log = transaction.objectStore('events');
  const refs = transaction.objectStore('refs');
  /** References that go. */
  const lost: IDBRequest<unknown[]>[] = [];

  async function put(): Promise<void> {
    if (!isKnown) {
      const look = fences.getKey([sessionId, expectedSeq]);
      await success(look);
      if (look.result === undefined) throw conflict();
    }
    fences.delete([sessionId, expectedSeq]);
    fences.add(sessionId, [sessionId, summary.seq]);
    // While a text streams, the list's row would be as much as what there is to write.
    if (phase !== 'streaming' || expectedSeq === 0) {
      sessions.delete(keysOf(sessionId));
      sessions.add(summary);
    }
    // A session that was removed not long ago still has its events: its id is taken anew.
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
    for (const [index, { seq, value }] of rows.entries()) {
      // Never over one that is there: events are not edited.
      const added = log.add(value, [sessionId, seq]);
      // So many that the page would stand still: then the transaction lives on from request to request.
      if (index % chunk === chunk - 1) await success(added);
    }
    // Without `commit` the browser waits for this page to answer every request, and a page that is going away does not.
    transaction.commit();
  }

  const putting = put().catch((thrown: unknown) => {
    try {
      // What cannot be put takes everything before it back.
      transaction.abort();
    } catch {
      // It has been already.
    }
    throw thrown;
  });
  return Promise.all([transactionDone(transaction), putting]).then(() => lost.flatMap(({ result }) => result));
}

function success(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve) => request.addEventListener('success', resolve));
}
