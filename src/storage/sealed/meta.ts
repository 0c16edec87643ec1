import type { Json } from '../../core/json.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { isSealed, type SealedPart } from '../rows/sealed-row.ts';
import type { Sealer } from './sealer.ts';

// The verbs of `StoreMeta`. The keys of entries are not encrypted.

/** @param isStrict whether an entry that is not encrypted is damage: it has no value */
export async function getMeta(
  disk: SessionDisk,
  sealer: Sealer,
  key: string,
  isStrict: boolean,
): Promise<Json | undefined> {
  const entry = await readEntry(disk, key);
  return isStrict && !isSealed(entry) ? undefined : openEntry(sealer, key, entry);
}

/**
 * Replaces a value. `change` is called again where another tab has changed the entry while it was decrypted or encrypted: a
 * transaction cannot wait for either.
 */
export async function updateMeta(
  disk: SessionDisk,
  sealer: Sealer,
  key: string,
  change: (value: Json | undefined) => Json | undefined,
  isStrict: boolean,
): Promise<void> {
  for (;;) {
    const row = await readEntry(disk, key);
    const value = change(isStrict && !isSealed(row) ? undefined : await openEntry(sealer, key, row));
    const next = value === undefined ? undefined : await sealer.seal(value, ['meta', key]);
    if (await replaceEntry(disk, key, row, next)) return;
  }
}

/** Decrypts an entry, and erases one that cannot be decrypted. Resolves with whether the entry was encrypted. */
export async function decryptMeta(disk: SessionDisk, sealer: Sealer, key: string): Promise<boolean> {
  for (;;) {
    const row = await readEntry(disk, key);
    if (!isSealed(row)) return false;
    if (await replaceEntry(disk, key, row, await openEntry(sealer, key, row))) return true;
  }
}

/** An entry as it is stored: only JSON is written. */
type Entry = Json | SealedPart | undefined;

async function openEntry({ openSealed }: Sealer, key: string, entry: Entry): Promise<Json | undefined> {
  return isSealed(entry) ? openSealed(entry, ['meta', key]) : entry;
}

function readEntry(disk: SessionDisk, key: string): Promise<Entry> {
  return disk.run(['meta'], 'readonly', (transaction) => transaction.objectStore('meta').get(key));
}

/** Resolves with whether the entry was still `row`; otherwise nothing is changed. */
function replaceEntry(disk: SessionDisk, key: string, row: Entry, next: Entry): Promise<boolean> {
  return disk.run(['meta'], 'readwrite', async (transaction) => {
    const meta = transaction.objectStore('meta');
    const isSame = identity(await meta.get(key)) === identity(row);
    if (isSame) await (next === undefined ? meta.delete(key) : meta.put(next, key));
    return isSame;
  });
}

/** Returns a text that differs where rows differ. */
function identity(row: unknown): string {
  return isSealed(row) ? String(row.sealed) : JSON.stringify([row]);
}
