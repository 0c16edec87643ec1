import { unwrap } from 'idb';
import { lazy } from '../core/lazy.ts';
import { isJsonObject } from '../core/json.ts';
import type {
  ListOptions,
  SessionHead,
  SessionPage,
  SessionStore,
  SessionWrite,
  StoredSession,
} from '../core/log/store.ts';
import { mayHaveBlobs, type Packed } from './blobs.ts';
import { commit } from './commit.ts';
import { parseCursor, toCursor } from './cursor.ts';
import { keysAfter } from './keys.ts';
import { isHead, readHead, toLog } from './rows.ts';
import type { Database } from './schema.ts';
import { within } from './within.ts';

/** The verbs of a store, on one open connection. */
export type Tables = Required<
  Pick<SessionStore, 'list' | 'read' | 'write' | 'remove' | 'restore' | 'wasRemoved' | 'meta'>
>;

const seldom = lazy(() => import('./seldom.ts'));

/** @param keepRemoved ms for which a removal can be taken back */
export function createTables(db: Database, keepRemoved: number): Tables {
  /** Sessions whose fence has been there on this connection: from then on it changes, but never vanishes. */
  const seen = new Set<string>();
  /** Of sessions whose attachments are being hashed: writes them at once, as they are. */
  const hashing = new Map<string, () => void>();
  let purged: Promise<void> | undefined;

  async function put(write: SessionWrite, packed?: Packed): Promise<void> {
    const { sessionId, expects } = write;
    const lost = await commit(unwrap(db), write, expects === 0 || seen.has(sessionId), packed);
    seen.add(sessionId);
    // What has been written stands, whatever becomes of this.
    if (lost.length > 0)
      await seldom()
        .then(({ free }) => free(db, lost))
        .catch(() => {});
  }

  /** The page on which something was removed may have gone too soon. */
  async function purgeOnce(): Promise<void> {
    const old = IDBKeyRange.upperBound(Date.now() - keepRemoved);
    const due = await within(db, 'readonly', (transaction) =>
      transaction.objectStore('sessions').index('removed').count(old),
    );
    if (due > 0) await (await seldom()).purge(db, keepRemoved);
  }

  function page({ limit = 50, cursor }: ListOptions): Promise<SessionPage> {
    const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
    return within(db, 'readonly', async (transaction) => {
      const sessions: SessionHead[] = [];
      let last = '';
      let row = await transaction.objectStore('sessions').index('updated').openCursor(range, 'prev');
      while (row && sessions.length < limit) {
        // One unreadable row must not take the list with it.
        sessions.push(readHead(row.value));
        last = toCursor(row.key);
        row = await row.continue();
      }
      return { sessions, ...(row && last && { cursor: last }) };
    });
  }

  return {
    async list(options = {}) {
      if (options.search?.trim()) return (await seldom()).search(db, options);
      const sessions = await page(options);
      purged ??= purgeOnce().catch(() => {});
      return sessions;
    },

    async read(sessionId, { after = -Infinity } = {}): Promise<StoredSession | undefined> {
      const [fence, row, rows, refs] = await within(db, 'readonly', (transaction) =>
        Promise.all([
          transaction.objectStore('fences').index('id').getKey(sessionId),
          transaction.objectStore('sessions').index('id').get(sessionId),
          transaction.objectStore('events').getAll(keysAfter(sessionId, after)),
          transaction.objectStore('refs').getAll(keysAfter(sessionId, after)),
        ]),
      );
      const seq = fence?.[1];
      // Never there, or removed.
      if (isJsonObject(row) ? row.seq === 0 : !seq) return undefined;
      if (seq) seen.add(sessionId);
      const { events, unread } = toLog(rows, after);
      if (refs.length === 0 && seq && isHead(row) && unread === 0) return { head: { ...row, seq }, events };
      return (await seldom()).unpack(db, { sessionId, seq, row, events, unread, refs });
    },

    write(write) {
      const { sessionId, events } = write;
      // This one builds on that one: it goes now, and nobody waits for its hashes.
      hashing.get(sessionId)?.();
      if (!events.some(mayHaveBlobs)) return put(write);
      return new Promise((resolve) => {
        const listening = new AbortController();
        const begin = (packed?: Packed): void => {
          if (listening.signal.aborted) return;
          listening.abort();
          hashing.delete(sessionId);
          resolve(put(write, packed));
        };
        const hurry = (): void => begin();
        hashing.set(sessionId, hurry);
        // A page that goes away does not come back to a promise.
        for (const type of ['pagehide', 'visibilitychange']) globalThis.addEventListener?.(type, hurry, listening);
        seldom()
          .then(({ pack }) => pack(events))
          .then(begin, hurry);
      });
    },

    meta: {
      get: async (key) => (await seldom()).getFact(db, key),
      update: async (key, change) => (await seldom()).updateFact(db, key, change),
    },
    remove: async (sessionId) => (await seldom()).remove(db, sessionId, keepRemoved),
    restore: async (sessionId) => (await seldom()).restore(db, sessionId),
    wasRemoved: async (sessionId) => (await seldom()).wasRemoved(db, sessionId),
  };
}
