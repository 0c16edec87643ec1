import { isBlobRef } from '../indexeddb/blobs.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import type { Sealer } from './sealer.ts';

/** Returns the value of each reference to a blob, `undefined` where it is missing or damaged. */
export async function openBlobs(
  db: IDBDatabase,
  { open }: Sealer,
  refs: readonly unknown[],
): Promise<readonly unknown[]> {
  const hashes = refs.map((ref) => (isBlobRef(ref) ? ref.hash : ''));
  const transaction = db.transaction('blobs');
  const requests: readonly IDBRequest<unknown>[] = hashes.map((hash) => transaction.objectStore('blobs').get(hash));
  await transactionDone(transaction);
  return Promise.all(hashes.map(async (hash, index) => open(requests[index]?.result, ['blob', hash])));
}
