import { type IDBPDatabase, type IDBPTransaction, unwrap } from 'idb';
import { AgentError } from '../core/error.ts';
import type { Json } from '../core/json.ts';
import type { SessionHead, SessionStore, StoreMeta } from '../core/log/store.ts';
import { commit } from './commit.ts';
import { parseCursor, toCursor } from './cursor.ts';
import { isEvent, isHead, isRemoved } from './rows.ts';
import type { Schema } from './schema.ts';

export type Database = IDBPDatabase<Schema>;

/** The verbs of a store, on one open connection. */
export type Tables = Pick<SessionStore, 'list' | 'read' | 'write' | 'remove'> & { readonly meta: StoreMeta };

export function createTables(db: Database): Tables {
  /** Sessions whose row has been there on this connection: from then on it changes or is marked, but never vanishes. */
  const seen = new Set<string>();

  /** What `work` gives, when the transaction is through. */
  async function within<Mode extends 'readonly' | 'readwrite', T>(
    mode: Mode,
    work: (transaction: IDBPTransaction<Schema, ('sessions' | 'events')[], Mode>) => Promise<T>,
  ): Promise<T> {
    const transaction = db.transaction(['sessions', 'events'], mode);
    const [result] = await Promise.all([work(transaction), transaction.done]);
    return result;
  }

  return {
    list: ({ limit = 50, cursor } = {}) =>
      within('readonly', async (transaction) => {
        const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
        const sessions: SessionHead[] = [];
        let last: string | undefined;
        let row = await transaction.objectStore('sessions').index('updated').openCursor(range, 'prev');
        while (row && sessions.length < limit) {
          // One unreadable row must not take the list with it.
          if (isHead(row.value)) sessions.push(row.value);
          last = toCursor(row.key);
          row = await row.continue();
        }
        return { sessions, ...(row && last !== undefined && { cursor: last }) };
      }),

    read: (sessionId, { after = -Infinity } = {}) =>
      within('readonly', async (transaction) => {
        const [head, events] = await Promise.all([
          transaction.objectStore('sessions').index('id').get(sessionId),
          transaction.objectStore('events').getAll(keysOf(sessionId, after)),
        ]);
        if (head === undefined || isRemoved(head)) return undefined;
        if (!isHead(head) || !events.every(isEvent)) throw corrupt(sessionId);
        seen.add(sessionId);
        return { head, events };
      }),

    async write(write) {
      const { sessionId, expects } = write;
      await commit(unwrap(db), write, expects === 0 || seen.has(sessionId));
      seen.add(sessionId);
    },

    meta: {
      get: async (key) => toFact(await db.get('meta', key)),
      async update(key, change) {
        const transaction = db.transaction('meta', 'readwrite');
        const value = change(toFact(await transaction.store.get(key)));
        await Promise.all([
          value === undefined ? transaction.store.delete(key) : transaction.store.put(value, key),
          transaction.done,
        ]);
      },
    },

    remove: (sessionId) =>
      within('readwrite', async (transaction) => {
        const sessions = transaction.objectStore('sessions');
        const key = await sessions.index('id').getKey(sessionId);
        if (key === undefined || key[1] === 0) return false;
        await Promise.all([
          sessions.delete(key),
          sessions.add({ id: sessionId, seq: 0 }),
          transaction.objectStore('events').delete(keysOf(sessionId)),
        ]);
        return true;
      }),
  };
}

function keysOf(sessionId: string, after = -Infinity): IDBKeyRange {
  // Every array comes after every number.
  return IDBKeyRange.bound([sessionId, after], [sessionId, []], true);
}

/** Only JSON is ever written there, and whoever reads it looks at what it is. */
function toFact(stored: unknown): Json | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return stored as Json | undefined;
}

const corrupt = (sessionId: string): AgentError =>
  new AgentError(`What is stored of session ${sessionId} cannot be understood. The other sessions are not affected.`, {
    code: 'STORAGE_CORRUPT',
  });
