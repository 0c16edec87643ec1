import { type RowKey, toFenceKey } from '../keys.ts';
import type { Transaction } from '../schema.ts';
import { listRange, type ListRange } from '../../rows/waiting-mark.ts';

// Which state of a session an index contains is said by the `seq` of its fence, which is in a key: the rows of the list need not be read.

type Reading = Transaction<'readonly' | 'readwrite'>;

/** Returns the listed sessions with the `seq` of their fences, the oldest first; 0 for a damaged session without a fence. */
export async function listKeys(
  transaction: Reading,
  { index, range }: ListRange = listRange(undefined),
): Promise<readonly RowKey[]> {
  const [ids, fences] = await Promise.all([
    transaction.objectStore('list').index(index).getAllKeys(range),
    transaction.objectStore('fences').index('id').getAllKeys(),
  ]);
  const seqs = new Map(fences.map(([id, seq]) => [id, seq]));
  return ids.map((id) => [id, seqs.get(id) ?? 0]);
}

/** Returns whether a session is as it was. One request for all sessions where their ids are close to one another. */
export async function currentFilter(
  transaction: Reading,
  keys: readonly RowKey[],
): Promise<(key: RowKey | undefined) => boolean> {
  const index = transaction.objectStore('fences').index('id');
  const ids = keys.map(([id]) => id).sort((a, b) => indexedDB.cmp(a, b));
  const range = IDBKeyRange.bound(ids[0] ?? '', ids.at(-1) ?? '');
  const fences =
    (await index.count(range)) <= keys.length * 4
      ? await index.getAllKeys(range)
      : await Promise.all(ids.map((id) => index.getKey(id)));
  const seqs = new Map(fences.map(toFenceKey).map(([id, seq]) => [id, seq]));
  return (key) => key !== undefined && (seqs.get(key[0]) ?? 0) === key[1];
}
