import type { Json } from '../../core/json.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './in-transaction.ts';

// The verbs of `StoreMeta`: small JSON values by key, apart from the sessions.

export function getMetaEntry(db: Database, key: string): Promise<Json | undefined> {
  return inTransaction(db, 'readonly', (transaction) => transaction.objectStore('meta').get(key));
}

/** Reads and writes in one transaction, so that no other tab changes the entry in between. */
export function updateMetaEntry(
  db: Database,
  key: string,
  change: (value: Json | undefined) => Json | undefined,
): Promise<void> {
  return inTransaction(db, 'readwrite', async (transaction) => {
    const meta = transaction.objectStore('meta');
    const value = change(await meta.get(key));
    await (value === undefined ? meta.delete(key) : meta.put(value, key));
  });
}
