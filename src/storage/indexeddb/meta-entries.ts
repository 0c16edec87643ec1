import type { Json } from '../../core/json.ts';
import { isSealed, type SealedPart } from '../rows/sealed-row.ts';
import type { SessionDisk } from './schema.ts';

// The verbs of `StoreMeta`: small JSON values by key, apart from the sessions.

export async function getMetaEntry(disk: SessionDisk, key: string): Promise<Json | undefined> {
  return toJson(await disk.run(['meta'], 'readonly', (transaction) => transaction.objectStore('meta').get(key)));
}

/** Reads and writes in one transaction, so that no other tab changes the entry in between. */
export function updateMetaEntry(
  disk: SessionDisk,
  key: string,
  change: (value: Json | undefined) => Json | undefined,
): Promise<void> {
  return disk.run(['meta'], 'readwrite', async (transaction) => {
    const meta = transaction.objectStore('meta');
    const value = change(toJson(await meta.get(key)));
    await (value === undefined ? meta.delete(key) : meta.put(value, key));
  });
}

/** An encrypted entry cannot be read without its codec. */
function toJson(entry: Json | SealedPart | undefined): Json | undefined {
  return isSealed(entry) ? undefined : entry;
}
