import { isBlobRef } from '../indexeddb/blobs.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import type { Sealer } from './sealer.ts';

/** Returns the value of each reference to a blob, `undefined` where it is missing or damaged. */
export async function openBlobs(
  disk: SessionDisk,
  { open }: Sealer,
  refs: readonly unknown[],
): Promise<readonly unknown[]> {
  const hashes = refs.map((ref) => (isBlobRef(ref) ? ref.hash : ''));
  const rows = await disk.run(['blobs'], 'readonly', (transaction) =>
    Promise.all(hashes.map((hash) => transaction.objectStore('blobs').get(hash))),
  );
  return Promise.all(hashes.map((hash, index) => open(rows[index], ['blob', hash])));
}
