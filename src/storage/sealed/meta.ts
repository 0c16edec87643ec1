import type { Json } from '../../core/json.ts';
import { transactionDone } from '../indexeddb/transaction-done.ts';
import { isSealed, type SealedPart } from '../indexeddb/sealed-row.ts';
import type { Sealer } from './sealer.ts';

// The verbs of `StoreMeta`. The keys of entries are not encrypted.

export async function getMeta(db: IDBDatabase, sealer: Sealer, key: string): Promise<Json | undefined> {
  return openEntry(sealer, key, await readEntry(db, key));
}

/**
 * Replaces a value. `change` is called again where another tab has changed the entry while it was decrypted or encrypted: a
 * transaction cannot wait for either.
 */
export async function updateMeta(
  db: IDBDatabase,
  sealer: Sealer,
  key: string,
  change: (value: Json | undefined) => Json | undefined,
): Promise<void> {
  for (;;) {
    const row = await readEntry(db, key);
    const value = change(await openEntry(sealer, key, row));
    const next = value === undefined ? undefined : await sealer.seal(value, ['meta', key]);
    if (await replaceEntry(db, key, row, next)) return;
  }
}

/** Decrypts an entry, and erases one that cannot be decrypted. Resolves with whether the entry was encrypted. */
export async function decryptMeta(db: IDBDatabase, sealer: Sealer, key: string): Promise<boolean> {
  for (;;) {
    const row = await readEntry(db, key);
    if (!isSealed(row)) return false;
    if (await replaceEntry(db, key, row, await openEntry(sealer, key, row))) return true;
  }
}

/** An entry as it is stored: only JSON is written. */
type Entry = Json | SealedPart | undefined;

async function openEntry({ openSealed }: Sealer, key: string, entry: Entry): Promise<Json | undefined> {
  return isSealed(entry) ? openSealed(entry, ['meta', key]) : entry;
}

async function readEntry(db: IDBDatabase, key: string): Promise<Entry> {
  const transaction = db.transaction('meta');
  const request: IDBRequest<Entry> = transaction.objectStore('meta').get(key);
  await transactionDone(transaction);
  return request.result;
}

/** Resolves with whether the entry was still `row`; otherwise nothing is changed. */
async function replaceEntry(db: IDBDatabase, key: string, row: unknown, next: unknown): Promise<boolean> {
  const transaction = db.transaction('meta', 'readwrite');
  const meta = transaction.objectStore('meta');
  const request: IDBRequest<unknown> = meta.get(key);
  let isSame = false;
  request.addEventListener('success', () => {
    isSame = identity(request.result) === identity(row);
    if (!isSame) return;
    if (next === undefined) meta.delete(key);
    else meta.put(next, key);
  });
  await transactionDone(transaction);
  return isSame;
}

/** Returns a text that differs where rows differ. */
function identity(row: unknown): string {
  return isSealed(row) ? String(row.sealed) : JSON.stringify([row]);
}
