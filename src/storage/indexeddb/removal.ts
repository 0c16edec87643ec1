import { isJsonObject } from '../../core/json.ts';
import { annotationsKey } from '../../core/model/annotation.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import { freeBlobs } from './clean-up.ts';
import { type FenceKey, keysOf, toFenceKey } from './keys.ts';
import type { SessionDisk } from './schema.ts';
import { removeFromBlocks } from './search/signature-blocks.ts';

// A removed session has a fence with `seq` 0, which refuses late writers for ever. Until it is purged, a tombstone with its row replaces
// the row in the list, and its events are still stored. A removal and a restoration put; a purge deletes.

/**
 * Resolves with whether there was such a session.
 *
 * @param undoWindow ms for which the removal can be undone
 */
export async function remove(
  disk: SessionDisk,
  sessionId: string,
  undoWindow: number,
  now: Ports['now'] = browserPorts.now,
): Promise<boolean> {
  const wasThere = await disk.run(['fences', 'list', 'events'], 'readwrite', async (transaction) => {
    const [fences, list] = [transaction.objectStore('fences'), transaction.objectStore('list')];
    const [key, row, rowKeys] = await Promise.all([
      fences.index('id').getKey(sessionId),
      list.get(sessionId),
      transaction.objectStore('events').getAllKeys(keysOf(sessionId), 1),
    ]);
    const fence = key && toFenceKey(key);
    // It was removed before.
    if (isJsonObject(row) ? row.seq === 0 : fence?.[1] === 0) return false;
    // Each may be lost in a damaged database.
    const seq = fence?.[1] || (isJsonObject(row) ? Number(row.seq) : rowKeys[0]?.[1]);
    if (!seq) return false;
    const tombstone = {
      id: sessionId,
      seq: 0,
      removedAt: now(),
      ...(fence?.[1] && { fence }),
      row: { ...(isJsonObject(row) && row), id: sessionId, seq },
    };
    await Promise.all([fence && fences.put(null, fence), fences.put(sessionId, [sessionId, 0]), list.put(tombstone)]);
    return true;
  });
  // The removal stands even if this fails; a purge repeats it.
  if (wasThere)
    await forget(disk, [sessionId])
      .then(() => purge(disk, now() - undoWindow))
      .catch(() => {});
  return wasThere;
}

export async function wasRemoved(disk: SessionDisk, sessionId: string): Promise<boolean> {
  const fence = await disk.run(['fences'], 'readonly', (transaction) =>
    transaction.objectStore('fences').index('id').getKey(sessionId),
  );
  return fence?.[1] === 0;
}

/** Undoes a removal. Resolves with `false` where the session was not removed, has been purged, or its id is used again. */
export function restore(disk: SessionDisk, sessionId: string): Promise<boolean> {
  return disk.run(['fences', 'list'], 'readwrite', async (transaction) => {
    const [fences, list] = [transaction.objectStore('fences'), transaction.objectStore('list')];
    const tombstone = await list.get(sessionId);
    if (!isJsonObject(tombstone) || tombstone.seq !== 0 || !isJsonObject(tombstone.row)) return false;
    const { fence, row } = tombstone;
    if (typeof row.seq !== 'number') return false;
    const before: FenceKey = Array.isArray(fence) ? toFenceKey(fence) : [sessionId, row.seq];
    await Promise.all([fences.put(null, [sessionId, 0]), fences.put(sessionId, before), list.put(row)]);
    return true;
  });
}

/** Erases what was removed by a page that was closed before its undo window ended. Without such sessions it only reads. */
export async function purgeDue(
  disk: SessionDisk,
  undoWindow: number,
  now: Ports['now'] = browserPorts.now,
): Promise<void> {
  const ids = await dueIds(disk, now() - undoWindow);
  if (ids.length === 0) return;
  await forget(disk, ids);
  await purge(disk, now() - undoWindow);
}

/** @param end ms since the epoch: what was removed until then */
function dueIds(disk: SessionDisk, end: number): Promise<readonly string[]> {
  return disk.run(['list'], 'readonly', (transaction) =>
    transaction.objectStore('list').index('removed').getAllKeys(IDBKeyRange.upperBound(end)),
  );
}

/** Erases sessions that were removed until `end`, in ms since the epoch. */
async function purge(disk: SessionDisk, end: number): Promise<void> {
  for (const id of await dueIds(disk, end)) await purgeRemoved(disk, id);
}

/**
 * Erases all rows of a session but its fence, where it was removed. Resolves with whether it was. Only deletes, and the tombstone last:
 * a purge that was cut is done again.
 */
export function purgeRemoved(disk: SessionDisk, sessionId: string): Promise<boolean> {
  const tables = ['fences', 'list', 'sessions', 'events', 'covers', 'refs', 'blobs', 'texts', 'meta'] as const;
  return disk.run(tables, 'readwrite', async (transaction) => {
    const fence = await transaction.objectStore('fences').index('id').getKey(sessionId);
    if (fence?.[1] !== 0) return false;
    const all = keysOf(sessionId);
    const refs = transaction.objectStore('refs');
    const lost = await refs.getAll(all);
    await Promise.all([
      transaction.objectStore('events').delete(all),
      transaction.objectStore('covers').delete(all),
      transaction.objectStore('sessions').delete(all),
      transaction.objectStore('texts').delete(sessionId),
      transaction.objectStore('meta').delete(annotationsKey(sessionId)),
      transaction.objectStore('fences').delete(IDBKeyRange.bound(fence, [sessionId, []], true, false)),
      refs.delete(all),
    ]);
    await freeBlobs(transaction, lost);
    await transaction.objectStore('list').delete(sessionId);
    return true;
  });
}

/** Erases what the search index has of removed sessions. */
async function forget(disk: SessionDisk, ids: readonly string[]): Promise<void> {
  await disk.run(['texts'], 'readwrite', async (transaction) => {
    await Promise.all(ids.map((id) => transaction.objectStore('texts').delete(id)));
  });
  await disk.run(['texts'], 'readwrite', async (transaction) => {
    for (const id of ids) await removeFromBlocks(transaction, id);
  });
}
