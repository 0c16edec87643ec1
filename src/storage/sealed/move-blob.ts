import { isBlobRef } from '../indexeddb/blobs.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';

/**
 * Stores a blob under another name, with all references to it.
 *
 * @param value `undefined`: the blob is erased, and its references stay, so that `read` reports it as missing
 */
export async function moveBlob(db: IDBDatabase, from: string, to: string, value: unknown): Promise<void> {
  const transaction = db.transaction(['blobs', 'refs'], 'readwrite');
  const blobs = transaction.objectStore('blobs');
  const request = transaction.objectStore('refs').index('hash').openCursor(IDBKeyRange.only(from));
  request.addEventListener('success', () => {
    const found = request.result;
    if (found === null) return;
    if (isBlobRef(found.value)) found.update({ ...found.value, hash: to });
    found.continue();
  });
  if (value !== undefined) blobs.put(value, to);
  blobs.delete(from);
  await transactionDone(transaction);
}
