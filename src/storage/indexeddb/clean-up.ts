import { isBlobRef } from './blobs.ts';
import { extentOf, refFilter, rowFilter } from './covers.ts';
import { keysOf } from './keys.ts';
import type { SessionDisk, Transaction } from './schema.ts';

/**
 * Deletes what the writes of a session have replaced, the covers that name it, released fences, and the blobs to which no reference is left. Only
 * deletes, so that it may be cut at any place and run twice or never.
 *
 * Invariant: a row is deleted only while a cover names it, so that a page that slept does not delete what was written since.
 */
export function cleanUp(disk: SessionDisk, sessionId: string): Promise<void> {
  return disk.run(['fences', 'covers', 'events', 'refs', 'blobs'], 'readwrite', async (transaction) => {
    const own = keysOf(sessionId);
    const [events, refs] = [transaction.objectStore('events'), transaction.objectStore('refs')];
    const [names, covers] = await Promise.all([
      transaction.objectStore('covers').getAllKeys(own),
      transaction.objectStore('covers').getAll(own),
    ]);
    await deleteReleased(transaction, sessionId);
    const extent = extentOf(covers);
    if (extent) {
      const range = keysOf(sessionId, ...extent);
      const [rowKeys, refKeys, refRows] = await Promise.all([
        events.getAllKeys(range),
        refs.getAllKeys(range),
        refs.getAll(range),
      ]);
      const [counts, refCounts] = [rowFilter(covers), refFilter(covers)];
      await Promise.all([
        ...runsOf(rowKeys, counts).map((run) => events.delete(run)),
        ...runsOf(refKeys, refCounts).map((run) => refs.delete(run)),
      ]);
      await freeBlobs(
        transaction,
        refRows.filter((_row, index) => {
          const key = refKeys[index];
          return key !== undefined && !refCounts(key);
        }),
      );
    }
    // Last: as long as a row is left, its cover is.
    await Promise.all(names.map((name) => transaction.objectStore('covers').delete(name)));
  });
}

/** Deletes the fences of a session that were released: one for each write. */
async function deleteReleased(transaction: Transaction<'readwrite'>, sessionId: string): Promise<void> {
  const fences = transaction.objectStore('fences');
  const live = await fences.index('id').getKey(sessionId);
  if (live === undefined) return;
  await Promise.all([
    fences.delete(IDBKeyRange.bound([sessionId], live, false, true)),
    fences.delete(IDBKeyRange.bound(live, [sessionId, []], true, false)),
  ]);
}

/** Returns the ranges of neighbouring keys that do not count: a range is one request. */
function runsOf<Key extends IDBValidKey>(keys: readonly Key[], counts: (key: Key) => boolean): readonly IDBKeyRange[] {
  const runs: IDBKeyRange[] = [];
  let first: Key | undefined;
  let last: Key | undefined;
  const end = (): void => {
    if (first !== undefined && last !== undefined) runs.push(IDBKeyRange.bound(first, last));
    first = undefined;
  };
  for (const key of keys) {
    if (counts(key)) end();
    else {
      first ??= key;
      last = key;
    }
  }
  end();
  return runs;
}

/** Erases the blobs of removed references to which no other reference is left. */
export async function freeBlobs(transaction: Transaction<'readwrite'>, lost: readonly unknown[]): Promise<void> {
  for (const hash of new Set(lost.filter(isBlobRef).map((ref) => ref.hash))) {
    const left = await transaction.objectStore('refs').index('hash').count(hash);
    if (left === 0) await transaction.objectStore('blobs').delete(hash);
  }
}
