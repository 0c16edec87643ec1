import type { Json } from '../core/json.ts';
import { resultOf } from './request.ts';
import { within } from './within.ts';

// Small facts beside the sessions: see `StoreMeta`.

export function getFact(db: IDBDatabase, key: string): Promise<Json | undefined> {
  return within(db, 'readonly', (table) => read(table('meta'), key));
}

export function updateFact(
  db: IDBDatabase,
  key: string,
  change: (value: Json | undefined) => Json | undefined,
): Promise<void> {
  return within(db, 'readwrite', async (table) => {
    const meta = table('meta');
    const value = change(await read(meta, key));
    if (value === undefined) meta.delete(key);
    else meta.put(value, key);
  });
}

/** Only JSON is ever written there, and whoever reads it looks at what it is. */
async function read(meta: IDBObjectStore, key: string): Promise<Json | undefined> {
  const request: IDBRequest<Json | undefined> = meta.get(key);
  return resultOf(request);
}
