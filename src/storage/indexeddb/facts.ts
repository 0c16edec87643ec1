import type { Json } from '../../core/json.ts';
import type { Database } from './schema.ts';
import { within } from './within.ts';

// Small facts beside the sessions: see `StoreMeta`.

export function getFact(db: Database, key: string): Promise<Json | undefined> {
  return within(db, 'readonly', (transaction) => transaction.objectStore('meta').get(key));
}

export function updateFact(
  db: Database,
  key: string,
  change: (value: Json | undefined) => Json | undefined,
): Promise<void> {
  return within(db, 'readwrite', async (transaction) => {
    const meta = transaction.objectStore('meta');
    const value = change(await meta.get(key));
    await (value === undefined ? meta.delete(key) : meta.put(value, key));
  });
}
