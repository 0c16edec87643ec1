import { defined, isJsonObject } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { ListOptions, SessionSummary, SessionPage, SessionWrite, StoredSession } from '../../core/model/store.ts';
import { mayHaveBlobs, type Packed } from './blobs.ts';
import { commit } from './commit.ts';
import { checkLimit, parseCursor, toCursor } from '../cursor.ts';
import { rejected } from '../storage-errors.ts';
import type { StoreVerbs } from '../verbs.ts';
import { hasMetadata } from '../where.ts';
import { transactionDone } from './transaction-done.ts';
import { keysAfter, piecesAfter, toFenceKey } from './keys.ts';
import { loadDeferred } from './load-deferred.ts';
import { isGapless } from './gapless.ts';
import { isSummary, readSummary } from './rows.ts';
import { toLog } from './to-log.ts';

/** Rows of a log from which on packing them is worthwhile. */
const manyRows = 100;

/**
 * The verbs on one open database. They reject with the browser's DOMExceptions.
 *
 * @param undoWindow ms for which a removal can be undone
 */
export function createTables(db: IDBDatabase, undoWindow: number): StoreVerbs {
  /** Sessions whose fence this connection has seen. Invariant: such a fence is replaced, but never removed. */
  const seen = new Set<string>();
  /** By session whose attachments are being hashed: starts that write at once, without blobs. */
  const hashing = new Map<string, () => void>();
  let tidied: Promise<unknown> | undefined;

  async function put(write: SessionWrite, packed?: Packed): Promise<void> {
    const { sessionId } = write;
    const removedRefs = await commit(db, write, seen.has(sessionId), packed);
    seen.add(sessionId);
    // The write stands even if unused blobs stay on the disk.
    if (removedRefs.length > 0)
      await loadDeferred()
        .then(({ free, wrap }) => free(wrap(db), removedRefs))
        .catch(() => {});
  }

  /** Does once what keeps later pages and searches fast. A failure changes nothing. */
  function tidyOnce(): void {
    tidied ??= loadDeferred().then(({ tidy, wrap }) => tidy(wrap(db), undoWindow));
    tidied.catch(() => {});
  }

  async function page({ limit = 50, cursor, where }: ListOptions): Promise<SessionPage> {
    checkLimit(limit);
    const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
    const transaction = db.transaction('sessions');
    const request = transaction.objectStore('sessions').index('updated').openCursor(range, 'prev');
    const sessions: SessionSummary[] = [];
    let last: IDBValidKey | undefined;
    request.addEventListener('success', () => {
      const row = request.result;
      if (row === null || sessions.length >= limit) return;
      if (hasMetadata(row.value, where)) {
        // One unreadable row must not break the list.
        sessions.push(readSummary(row.value));
        last = row.key;
      }
      row.continue();
    });
    await transactionDone(transaction);
    return { sessions, ...(request.result && last !== undefined && { cursor: toCursor(last) }) };
  }

  return {
    async list(options = {}) {
      if (options.search?.trim()) {
        const { search, wrap } = await loadDeferred();
        return search(wrap(db), options);
      }
      const sessions = await page(options);
      tidyOnce();
      return sessions;
    },

    async read(sessionId, { after = -Infinity } = {}): Promise<StoredSession | undefined> {
      const transaction = db.transaction(['fences', 'sessions', 'events', 'refs']);
      const table = (name: string): IDBObjectStore => transaction.objectStore(name);
      const range = keysAfter(sessionId, after);
      const fence = table('fences').index('id').getKey(sessionId);
      const head: IDBRequest<unknown> = table('sessions').index('id').get(sessionId);
      const log: unknown[] = [];
      for (const piece of piecesAfter(sessionId, after)) {
        const request: IDBRequest<unknown[]> = table('events').getAll(piece);
        request.addEventListener('success', () => request.result.forEach((row) => log.push(row)));
      }
      const ownRefs = table('refs').getAll(range);
      await transactionDone(transaction);
      const row = head.result;
      const [, seq, writeId] = toFenceKey(fence.result);
      const refs: readonly unknown[] = ownRefs.result;
      // There never was such a session, or it was removed.
      if (isJsonObject(row) ? row.seq === 0 : !seq) return undefined;
      if (seq) seen.add(sessionId);
      const { events, unread } = toLog(log, after);
      // The next reader is served faster; this one does not wait, and a failure changes nothing.
      if (log.length > manyRows)
        loadDeferred()
          .then(({ packInIdleTime, wrap }) => packInIdleTime(wrap(db), sessionId, log))
          .catch(() => {});
      if (refs.length + unread.length === 0 && seq && isSummary(row) && isGapless(events, after, seq))
        return { summary: { ...row, seq }, events, ...defined({ writeId }) };
      const { unpack, wrap } = await loadDeferred();
      return unpack(wrap(db), { sessionId, after, seq, writeId, row, events, unread, refs });
    },

    write(write) {
      const { sessionId, events } = write;
      // This write builds on the one that is being hashed: that one starts now, without blobs.
      hashing.get(sessionId)?.();
      if (!anyHasBlobs(events)) return put(write);
      return new Promise((resolve) => {
        const listening = new AbortController();
        const begin = (packed?: Packed): void => {
          if (listening.signal.aborted) return;
          listening.abort();
          hashing.delete(sessionId);
          resolve(put(write, packed));
        };
        const beginNow = (): void => begin();
        hashing.set(sessionId, beginNow);
        // A page that is being unloaded does not resume after a promise.
        for (const type of ['pagehide', 'visibilitychange']) globalThis.addEventListener?.(type, beginNow, listening);
        loadDeferred()
          .then(({ pack }) => pack(events))
          .then(begin, beginNow);
      });
    },

    meta: {
      get: (key) => loadDeferred().then(({ getMetaEntry, wrap }) => getMetaEntry(wrap(db), key)),
      update: (key, change) =>
        loadDeferred().then(({ updateMetaEntry, wrap }) => updateMetaEntry(wrap(db), key, change)),
    },
    remove: (sessionId) => loadDeferred().then(({ remove, wrap }) => remove(wrap(db), sessionId, undoWindow)),
    restore: (sessionId) => loadDeferred().then(({ restore, wrap }) => restore(wrap(db), sessionId)),
    wasRemoved: (sessionId) => loadDeferred().then(({ wasRemoved, wrap }) => wasRemoved(wrap(db), sessionId)),
  };
}

/** @throws AgentError `STORAGE_REJECTED` for an event that is no JSON: a BigInt, a cycle */
function anyHasBlobs(events: readonly SessionEvent[]): boolean {
  try {
    return events.filter(mayHaveBlobs).length > 0;
  } catch (thrown) {
    throw rejected(thrown);
  }
}
