import { isJsonObject } from '../core/json.ts';
import { isBlobRef } from './blobs.ts';
import { isRowKey, keysOf } from './keys.ts';
import { resultOf } from './request.ts';
import { within } from './within.ts';

// Loaded when somebody removes something. A removed session has a mark in the place of its row, which keeps late writers out
// for ever; until it is purged the mark holds the row, and the events are still there.

/** @param keep ms for which the removal can be taken back */
export async function remove(db: IDBDatabase, sessionId: string, keep: number): Promise<boolean> {
  const wasThere = await within(db, 'readwrite', async (table) => {
    const rows = table('sessions').index('id');
    const [key, row]: readonly unknown[] = await Promise.all([
      resultOf(rows.getKey(sessionId)),
      resultOf(rows.get(sessionId)),
    ]);
    if (!isRowKey(key) || key[1] === 0) return false;
    table('sessions').delete(key);
    table('sessions').add({ id: sessionId, seq: 0, removedAt: Date.now(), row });
    table('texts').delete(sessionId);
    return true;
  });
  // It is removed, whatever becomes of what else is due; that is tried again.
  if (wasThere) await purge(db, keep).catch(() => {});
  return wasThere;
}

/** Whether there is a mark. */
export async function wasRemoved(db: IDBDatabase, sessionId: string): Promise<boolean> {
  return within(db, 'readonly', async (table) => (await resultOf(table('sessions').count([sessionId, 0]))) > 0);
}

/** Takes a removal back, where the session has not been purged. */
export function restore(db: IDBDatabase, sessionId: string): Promise<boolean> {
  return within(db, 'readwrite', async (table) => {
    const mark: unknown = await resultOf(table('sessions').get([sessionId, 0]));
    if (!isJsonObject(mark) || !Object.hasOwn(mark, 'row')) return false;
    table('sessions').delete([sessionId, 0]);
    table('sessions').add(mark.row);
    return true;
  });
}

/** What was removed so long ago that nobody takes it back, goes. */
export function purge(db: IDBDatabase, keep: number): Promise<void> {
  return within(db, 'readwrite', async (table) => {
    const due = IDBKeyRange.upperBound(Date.now() - keep);
    for (const key of await resultOf(table('sessions').index('removed').getAllKeys(due))) {
      if (!isRowKey(key)) continue;
      const [id] = key;
      const lost: readonly unknown[] = await resultOf(table('refs').getAll(keysOf(id)));
      table('sessions').put({ id, seq: 0 });
      table('events').delete(keysOf(id));
      table('refs').delete(keysOf(id));
      await freeBlobs(table, lost);
    }
  });
}

/** Removes those of the blobs that references have gone of and none is left. */
export function free(db: IDBDatabase, lost: readonly unknown[]): Promise<void> {
  return within(db, 'readwrite', (table) => freeBlobs(table, lost));
}

async function freeBlobs(table: (name: 'refs' | 'blobs') => IDBObjectStore, lost: readonly unknown[]): Promise<void> {
  for (const hash of new Set(lost.filter(isBlobRef).map((ref) => ref.hash))) {
    const left = await resultOf(table('refs').index('hash').count(hash));
    if (left === 0) table('blobs').delete(hash);
  }
}
