import { isJsonObject } from '../../core/json.ts';
import { annotationsKey } from '../../core/model/annotation.ts';
import { isBlobRef } from './blobs.ts';
import { keysOf, toFenceKey } from './keys.ts';
import type { Database, Transaction } from './schema.ts';
import { removeFromBlocks } from './search/signature-blocks.ts';
import { inTransaction } from './in-transaction.ts';

// A removed session has a fence with `seq` 0, which refuses late writers for ever. Until it is purged, a tombstone with its
// row replaces the row in the list, and its events are still stored.

/**
 * Resolves with whether there was such a session.
 *
 * @param undoWindow ms for which the removal can be undone
 */
export async function remove(db: Database, sessionId: string, undoWindow: number): Promise<boolean> {
  const wasThere = await inTransaction(db, 'readwrite', async (transaction) => {
    const [fences, sessions] = [transaction.objectStore('fences'), transaction.objectStore('sessions')];
    const [fence, key, row] = await Promise.all([
      fences.index('id').getKey(sessionId),
      sessions.index('id').getKey(sessionId),
      sessions.index('id').get(sessionId),
    ]);
    // Either may be lost in a damaged database.
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
        ...(fence && { fence }),
        row: { ...(isJsonObject(row) && row), id: sessionId, seq },
      }),
      transaction.objectStore('texts').delete(sessionId),
      removeFromBlocks(transaction, sessionId),
    ]);
    return true;
  });
  // The removal stands even if the purge fails; the next removal or list purges again.
  if (wasThere) await purge(db, undoWindow).catch(() => {});
  return wasThere;
}

export async function wasRemoved(db: Database, sessionId: string): Promise<boolean> {
  return inTransaction(
    db,
    'readonly',
    async (transaction) => (await transaction.objectStore('fences').count([sessionId, 0])) > 0,
  );
}

/** Undoes a removal. Resolves with `false` where the session was not removed, has been purged, or its id is used again. */
export function restore(db: Database, sessionId: string): Promise<boolean> {
  return inTransaction(db, 'readwrite', async (transaction) => {
    const [fences, sessions] = [transaction.objectStore('fences'), transaction.objectStore('sessions')];
    const tombstone = await sessions.get([sessionId, 0]);
    const row = isJsonObject(tombstone) && tombstone.row;
    if (!isJsonObject(row) || typeof row.seq !== 'number') return false;
    await Promise.all([
      fences.delete([sessionId, 0]),
      fences.add(
        sessionId,
        isJsonObject(tombstone) && Array.isArray(tombstone.fence) ? toFenceKey(tombstone.fence) : [sessionId, row.seq],
      ),
      sessions.delete([sessionId, 0]),
      sessions.add(row),
    ]);
    return true;
  });
}

/** Erases what was removed by a page that was closed before its undo window ended. Without such sessions it only reads. */
export async function purgeDue(db: Database, undoWindow: number): Promise<void> {
  const old = IDBKeyRange.upperBound(Date.now() - undoWindow);
  if ((await db.countFromIndex('sessions', 'removed', old)) > 0) await purge(db, undoWindow);
}

/** Erases sessions that were removed longer ago than the undo window, in ms. */
function purge(db: Database, undoWindow: number): Promise<void> {
  return inTransaction(db, 'readwrite', async (transaction) => {
    const [sessions, events, refs, meta] = [
      transaction.objectStore('sessions'),
      transaction.objectStore('events'),
      transaction.objectStore('refs'),
      transaction.objectStore('meta'),
    ];
    for (const key of await sessions.index('removed').getAllKeys(IDBKeyRange.upperBound(Date.now() - undoWindow))) {
      const all = keysOf(key[0]);
      const lost = await refs.getAll(all);
      await Promise.all([
        sessions.delete(key),
        events.delete(all),
        refs.delete(all),
        meta.delete(annotationsKey(key[0])),
      ]);
      await freeBlobs(transaction, lost);
    }
  });
}

/** Erases the blobs of removed references to which no other reference is left. */
export function free(db: Database, lost: readonly unknown[]): Promise<void> {
  return inTransaction(db, 'readwrite', (transaction) => freeBlobs(transaction, lost));
}

async function freeBlobs(transaction: Transaction<'readwrite'>, lost: readonly unknown[]): Promise<void> {
  for (const hash of new Set(lost.filter(isBlobRef).map((ref) => ref.hash))) {
    const left = await transaction.objectStore('refs').index('hash').count(hash);
    if (left === 0) await transaction.objectStore('blobs').delete(hash);
  }
}
