import { AgentError } from '../core/error.ts';
import type { SessionWrite } from '../core/log/store.ts';

/**
 * Puts one write into one transaction, all of it within this call, and settles when the transaction has: a request that
 * succeeded may still be taken back (a full disk).
 *
 * `isKnown`: the row has been seen on this connection, or is new. Then `add` alone tells whether it is still the expected
 * one (see schema.ts), and nothing has to be awaited. Otherwise it may be missing altogether, which only a look can tell.
 *
 * @throws DOMException of the transaction; `ConstraintError` where the row is not the expected one
 */
export function commit(db: IDBDatabase, write: SessionWrite, isKnown: boolean): Promise<void> {
  const { sessionId, expects, replaces = [], events, head, durability } = write;
  const transaction = db.transaction(['sessions', 'events'], 'readwrite', { durability });
  const sessions = transaction.objectStore('sessions');
  const log = transaction.objectStore('events');

  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted.', 'AbortError')),
    );

    /** What cannot even be put takes everything before it back. */
    function guarded(step: () => void): void {
      try {
        step();
      } catch (thrown) {
        reject(thrown);
        transaction.abort();
      }
    }

    function put(): void {
      sessions.delete([sessionId, expects]);
      sessions.add(head);
      for (const [from, to] of replaces) log.delete(IDBKeyRange.bound([sessionId, from], [sessionId, to]));
      putEvents(0);
    }

    /** In one go, unless it is so much that the page would stand still: then the transaction lives on from request to request. */
    function putEvents(start: number): void {
      let weight = 0;
      let next = start;
      let added: IDBRequest | undefined;
      while (next < events.length && weight < heavy) {
        const event = events[next++];
        if (event === undefined) break;
        // Never over one that is there: events are not edited.
        added = log.add(event, [sessionId, event.seq]);
        weight += 1000 + lengthOf(event);
      }
      // Without `commit` the browser waits for this page to answer every request, and a page that is going away does not.
      if (next >= events.length) transaction.commit();
      else added?.addEventListener('success', () => guarded(() => putEvents(next)));
    }

    if (isKnown) {
      guarded(put);
      return;
    }
    const look = sessions.getKey([sessionId, expects]);
    look.addEventListener('success', () =>
      guarded(() => {
        if (look.result === undefined) throw gone(sessionId);
        put();
      }),
    );
  });
}

/** Of events put in one go: some 1,000 small ones or 1 MB of text, a few dozen ms. */
const heavy = 1_000_000;

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let length = 8;
  for (const part of Object.values(value)) length += lengthOf(part);
  return length;
}

const gone = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is not in the store in the state that the write builds on. Read it again.`, {
    code: 'STORAGE_CONFLICT',
  });
