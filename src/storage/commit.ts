import type { SessionWrite } from '../core/log/store.ts';
import { conflict } from './trouble.ts';

/** Events put in one go: some dozens of ms. */
const chunk = 1_000;

/**
 * Puts one write into one transaction, all of it within this call, and settles when the transaction has: a request that
 * succeeded may still be taken back (a full disk).
 *
 * `isKnown`: the row has been seen on this connection, or is new. Then `add` alone tells whether it is still the expected
 * one (see schema.ts), and nothing has to be awaited. Otherwise it may be missing altogether, which only a look can tell.
 *
 * @throws DOMException of the transaction (`ConstraintError` where the row is not the expected one), AgentError `STORAGE_CONFLICT`
 */
export function commit(db: IDBDatabase, write: SessionWrite, isKnown: boolean): Promise<void> {
  const { sessionId, expects, replaces = [], events, head, durability } = write;
  const transaction = db.transaction(['sessions', 'events'], 'readwrite', { durability });
  const sessions = transaction.objectStore('sessions');
  const log = transaction.objectStore('events');

  async function put(): Promise<void> {
    if (!isKnown) {
      const look = sessions.getKey([sessionId, expects]);
      await success(look);
      if (look.result === undefined) throw conflict();
    }
    sessions.delete([sessionId, expects]);
    sessions.add(head);
    for (const [from, to] of replaces) log.delete(IDBKeyRange.bound([sessionId, from], [sessionId, to]));
    for (const [index, event] of events.entries()) {
      // Never over one that is there: events are not edited.
      const added = log.add(event, [sessionId, event.seq]);
      // So many that the page would stand still: then the transaction lives on from request to request.
      if (index % chunk === chunk - 1) await success(added);
    }
    // Without `commit` the browser waits for this page to answer every request, and a page that is going away does not.
    transaction.commit();
  }

  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted.', 'AbortError')),
    );
    put().catch((thrown: unknown) => {
      // What cannot be put takes everything before it back.
      reject(thrown);
      transaction.abort();
    });
  });
}

/** A request that fails needs no answer: its transaction tells. */
function success(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve) => request.addEventListener('success', resolve));
}
