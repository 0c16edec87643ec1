import { isJsonObject } from '../../core/json.ts';
import { isBlobRef } from './blobs.ts';
import { keysOf } from './keys.ts';
import type { Database, Transaction } from './schema.ts';
import { takeOffShelves } from './search/signature-blocks.ts';
import { inTransaction } from './in-transaction.ts';

// Loaded when somebody removes something. A removed session has a fence with `seq` 0, which keeps late writers out for ever. Until it is
// purged there is a mark in the place of its row, which holds the row, and the events are still there.

/** @param keep ms for which the removal can be taken back */
export async function remove(db: Database, sessionId: string, keep: number): Promise<boolean> {
  const wasThere = await inTransaction(db, 'readwrite', async (transaction) => {
    const [fences, sessions] = [transaction.objectStore('fences'), transaction.objectStore('sessions')];
    const [fence, key, row] = await Promise.all([
      fences.index('id').getKey(sessionId),
      sessions.index('id').getKey(sessionId),
      sessions.index('id').get(sessionId),
    ]);
    // One of the two may have been lost.
    const seq = fence?.[1] || key?.[1];
    if (!seq) return false;
    await Promise.all([
      fence && fences.delete(fence),
      fences.add(sessionId, [sessionId, 0]),
      key && sessions.delete(key),
      sessions.add({
        id: sessionId,
        seq: 0,
        removedAt: Date.now(),
        row: { ...(isJsonObject(row) && row), id: sessionId, seq },
      }),
      transaction.objectStore('texts').delete(sessionId),
      takeOffShelves(transaction, sessionId),
    ]);
    return true;
  });
  // It is removed, whatever becomes of what else is due; that is tried again.
  if (wasThere) await purge(db, keep).catch(() => {});
  return wasThere;
}

export async function wasRemoved(db: Database, sessionId: string): Promise<boolean> {
  return inTransaction(
    db,
    'readonly',
    async (transaction) => (await transaction.objectStore('fences').count([sessionId, 0])) > 0,
  );
}

/** Takes a removal back, where the session has not been purged. */
export function restore(db: Database, sessionId: string): Promise<boolean> {
  return inTransaction(db, 'readwrite', async (transaction) => {
    const [fences, sessions] = [transaction.objectStore('fences'), transaction.objectStore('sessions')];
    const mark = await sessions.get([sessionId, 0]);
    const row = isJsonObject(mark) && mark.row;
    if (!isJsonObject(row) || typeof row.seq !== 'number') return false;
    await Promise.all([
      fences.delete([sessionId, 0]),
      fences.add(sessionId, [sessionId, row.seq]),
      sessions.delete([sessionId, 0]),
      sessions.add(row),
    ]);
    return true;
  });
}

/** What was removed so long ago that nobody takes it back, goes. */
export function purge(db: Database, keep: number): Promise<void> {
  return inTransaction(db, 'readwrite', async (transaction) => {
    const [sessions, events, refs] = [
      transaction.objectStore('sessions'),
      transaction.objectStore('events'),
      transaction.objectStore('refs'),
    ];
    for (const key of await sessions.index('removed').getAllKeys(IDBKeyRange.upperBound(Date.now() - keep))) {
      const all = keysOf(key[0]);
      const lost = await refs.getAll(all);
      await Promise.all([sessions.delete(key), events.delete(all), refs.delete(all)]);
      await freeBlobs(transaction, lost);
    }
  });
}

/** Removes those of the blobs that references have gone of and none is left. */
export function free(db: Database, lost: readonly unknown[]): Promise<void> {
  return inTransaction(db, 'readwrite', (transaction) => freeBlobs(transaction, lost));
}

async function freeBlobs(transaction: Transaction<'readwrite'>, lost: readonly unknown[]): Promise<void> {
  for (const hash of new Set(lost.filter(isBlobRef).map((ref) => ref.hash))) {
    const left = await transaction.objectStore('refs').index('hash').count(hash);
    if (left === 0) await transaction.objectStore('blobs').delete(hash);
  }
}
