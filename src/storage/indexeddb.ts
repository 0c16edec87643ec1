import { unwrap } from 'idb';
import { AgentError } from '../core/error.ts';
import type { SessionHead, SessionStore } from '../core/log/store.ts';
import { commit } from './commit.ts';
import { createConnection, type Database } from './connection.ts';
import { parseCursor, toCursor } from './cursor.ts';
import { createSessionLocks } from './lock.ts';
import { isEvent, isHead, isRemoved } from './rows.ts';
import { createChanges } from './tabs.ts';

export interface IndexedDBStoreOptions {
  /** Name of the database. Default `brooklet`. */
  readonly name?: string;
  /** ms until a database that does not open is given up. Default 5,000. */
  readonly openTimeout?: number;
  /**
   * Told what the page should show although no call has failed yet: another tab blocks the upgrade or needs a newer
   * version (`STORAGE_BLOCKED`), or the browser took the database away (`STORAGE_FAILED`).
   */
  readonly onTrouble?: (trouble: AgentError) => void;
}

/** Keeps sessions in IndexedDB (DESIGN §7). The database is opened by the first call. */
export function createIndexedDBStore({
  name = 'brooklet',
  openTimeout = 5000,
  onTrouble,
}: IndexedDBStoreOptions = {}): SessionStore {
  const changes = createChanges(name);
  const connection = createConnection({
    name,
    openTimeout,
    onTrouble(trouble) {
      try {
        onTrouble?.(trouble);
      } catch {
        // What the page does with the news is none of the database's business.
      }
    },
  });
  /** Sessions whose row has been there on this connection: from then on it changes or is marked, but never vanishes. */
  const seen = new WeakMap<Database, Set<string>>();

  function hasSeen(db: Database): Set<string> {
    const known = seen.get(db) ?? new Set();
    seen.set(db, known);
    return known;
  }

  return {
    changes$: changes.changes$,
    locks: createSessionLocks({ name }),

    list: ({ limit = 50, cursor } = {}) =>
      connection.attempt(async (db) => {
        const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
        const transaction = db.transaction('sessions');
        const [page] = await Promise.all([readPage(), transaction.done]);
        return page;

        async function readPage() {
          const sessions: SessionHead[] = [];
          let last: string | undefined;
          let row = await transaction.store.index('updated').openCursor(range, 'prev');
          while (row) {
            if (sessions.length >= limit) return { sessions, ...(last !== undefined && { cursor: last }) };
            // One unreadable row must not take the list with it.
            if (isHead(row.value)) sessions.push(row.value);
            last = toCursor(row.key);
            row = await row.continue();
          }
          return { sessions };
        }
      }),

    read: (sessionId, { after = -Infinity } = {}) =>
      connection.attempt(async (db) => {
        const transaction = db.transaction(['sessions', 'events']);
        const [head, events] = await Promise.all([
          transaction.objectStore('sessions').index('id').get(sessionId),
          transaction.objectStore('events').getAll(keysOf(sessionId, after)),
          transaction.done,
        ]);
        if (head === undefined || isRemoved(head)) return undefined;
        if (!isHead(head) || !events.every(isEvent)) throw corrupt(sessionId);
        hasSeen(db).add(sessionId);
        return { head, events };
      }),

    async write(write) {
      await connection.attempt(async (db) => {
        const known = hasSeen(db);
        await commit(unwrap(db), write, write.expects === 0 || known.has(write.sessionId));
        known.add(write.sessionId);
      });
      changes.tell(write.sessionId);
    },

    async remove(sessionId) {
      const wasThere = await connection.attempt(async (db) => {
        const transaction = db.transaction(['sessions', 'events'], 'readwrite');
        const [found] = await Promise.all([removeRow(), transaction.done]);
        return found;

        async function removeRow() {
          const sessions = transaction.objectStore('sessions');
          const key = await sessions.index('id').getKey(sessionId);
          if (key === undefined || key[1] === 0) return false;
          await Promise.all([
            sessions.delete(key),
            sessions.add({ id: sessionId, seq: 0 }),
            transaction.objectStore('events').delete(keysOf(sessionId)),
          ]);
          return true;
        }
      });
      if (wasThere) changes.tell(sessionId);
      return wasThere;
    },

    close() {
      connection.close();
      changes.close();
    },
  };
}

function keysOf(sessionId: string, after = -Infinity): IDBKeyRange {
  // Every array comes after every number.
  return IDBKeyRange.bound([sessionId, after], [sessionId, []], true);
}

const corrupt = (sessionId: string): AgentError =>
  new AgentError(`What is stored of session ${sessionId} cannot be understood. The other sessions are not affected.`, {
    code: 'STORAGE_CORRUPT',
  });
