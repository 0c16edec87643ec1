import { isBlobRef } from '../indexeddb/blobs.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';

/**
 * Stores a blob under another name, with all references to it, and then erases it under the old one.
 *
 * @param value `undefined`: the blob is erased, and its references stay, so that `read` reports it as missing
 */
export async function moveBlob(disk: SessionDisk, from: string, to: string, value: unknown): Promise<void> {
  await disk.run(['blobs', 'refs'], 'readwrite', async (transaction) => {
    const refs = transaction.objectStore('refs');
    const named = IDBKeyRange.only(from);
    const [keys, rows] = await Promise.all([refs.index('hash').getAllKeys(named), refs.index('hash').getAll(named)]);
    const puts = keys.map((key, index) => {
      const row = rows[index];
      return isBlobRef(row) && refs.put({ ...row, hash: to }, key);
    });
    await Promise.all([...puts, value !== undefined && transaction.objectStore('blobs').put(value, to)]);
  });
  if (from === to && value !== undefined) return;
  await disk.run(['blobs', 'refs'], 'readwrite', async (transaction) => {
    // Another tab may have stored the same content again.
    const isUsed = value !== undefined && (await transaction.objectStore('refs').index('hash').count(from)) > 0;
    if (!isUsed) await transaction.objectStore('blobs').delete(from);
  });
}
