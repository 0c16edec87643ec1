import { isJsonObject } from '../../../core/json.ts';
import { signatureSize, toSignature } from './trigrams.ts';
import type { Database, RowKey, Transaction } from '../schema.ts';
import { inTransaction } from '../in-transaction.ts';

// Signatures of many sessions lie side by side on a shelf, cut into slices: the same bits of all of them are one row, so that a
// search reads a few bytes a session. A shelf is written once; a session that has changed since counts as if it were not there.

/** Sessions on a full shelf. Rows stay below the 64 KB from which Chromium keeps a value in a file of its own. */
export const shelfSize = 250;
/** Fewer are not worth a shelf: their texts are read. */
export const worthAShelf = 100;

const slices = 64;
/** Bytes of a session in each slice. */
const width = signatureSize / slices;

/** What stands on a shelf, by place; an empty id where nothing does. */
interface Shelf {
  readonly number: number;
  readonly ids: readonly string[];
  readonly seqs: readonly number[];
}

/** A session to put on a shelf. */
export interface Signed {
  readonly key: RowKey;
  readonly signature: Uint8Array;
}

export function sign(key: RowKey, text: string): Signed {
  return { key, signature: toSignature(text) };
}

/** What the shelves say of sessions. */
export interface Sighting {
  /** Whether all bits are set; missing where a session is on no shelf as it is now. */
  readonly mayHave: ReadonlyMap<string, boolean>;
  /** Numbers of shelves on which at most half is as it is now. */
  readonly stale: readonly number[];
}

/** @param current `seq` of the sessions asked for */
export async function lookUp(
  transaction: Transaction<'readonly'>,
  current: ReadonlyMap<string, number>,
  grams: readonly number[],
): Promise<Sighting> {
  const texts = transaction.objectStore('texts');
  const wanted = Array.from(new Set(grams.map(sliceOf)));
  const [numbers, shelves, rows] = await Promise.all([
    texts.getAllKeys(anyShelf()),
    texts.getAll(anyShelf()),
    Promise.all(wanted.map((slice) => texts.getAll(IDBKeyRange.bound([slice], [slice, []])))),
  ]);
  const bitsOf = new Map(wanted.map((slice, index) => [slice, bitsByShelf(rows[index] ?? [])]));
  const mayHave = new Map<string, boolean>();
  const stale: number[] = [];
  for (const [index, row] of shelves.entries()) {
    const number = numbers[index];
    if (typeof number !== 'number') continue;
    const { ids, seqs } = isShelf(row) ? row : { ids: [], seqs: [] };
    const sought = grams.map((gram) => ({ gram, bits: bitsOf.get(sliceOf(gram))?.get(number) }));
    let living = 0;
    for (const [place, id] of ids.entries()) {
      if (mayHave.has(id) || current.get(id) !== seqs[place]) continue;
      living++;
      mayHave.set(
        id,
        sought.every(({ gram, bits }) => bits === undefined || hasBit(bits, place, gram)),
      );
    }
    if (living * 2 <= ids.length) stale.push(number);
  }
  return { mayHave, stale };
}

/** Puts sessions on a new shelf, but for those that have changed or gone meanwhile, and clears away others. */
export function putOnShelf(db: Database, signed: readonly Signed[], stale: readonly number[]): Promise<void> {
  return inTransaction(db, 'readwrite', async (transaction) => {
    const texts = transaction.objectStore('texts');
    const [numbers, ...counts] = await Promise.all([
      texts.getAllKeys(anyShelf()),
      ...signed.map(({ key }) => transaction.objectStore('sessions').count(key)),
    ]);
    const standing = signed.filter((_one, index) => counts[index] !== 0);
    const number = Number(numbers.at(-1) ?? 0) + 1;
    const shelf: Shelf = { number, ids: standing.map(({ key }) => key[0]), seqs: standing.map(({ key }) => key[1]) };
    await Promise.all([
      texts.put(shelf, number),
      ...everySlice((slice) => {
        const bits = new Uint8Array(standing.length * width);
        for (const [place, { signature }] of standing.entries())
          bits.set(signature.subarray(slice * width, (slice + 1) * width), place * width);
        return texts.put({ shelf: number, bits }, [slice, number]);
      }),
      ...stale.flatMap((old) => [texts.delete(old), ...everySlice((slice) => texts.delete([slice, old]))]),
    ]);
  });
}

/** Of a removed session nothing may be left. */
export async function takeOffShelves(transaction: Transaction<'readwrite'>, sessionId: string): Promise<void> {
  const texts = transaction.objectStore('texts');
  for (const shelf of await texts.getAll(anyShelf())) {
    if (!isShelf(shelf)) continue;
    const place = shelf.ids.indexOf(sessionId);
    if (place < 0) continue;
    await texts.put({ ...shelf, ids: shelf.ids.with(place, '') }, shelf.number);
    await Promise.all(
      everySlice(async (slice) => {
        const row = await texts.get([slice, shelf.number]);
        if (isSlice(row))
          await texts.put({ ...row, bits: row.bits.fill(0, place * width, (place + 1) * width) }, [
            slice,
            shelf.number,
          ]);
      }),
    );
  }
}

/** Numbers come before all texts, whose keys are ids. */
function anyShelf(): IDBKeyRange {
  return IDBKeyRange.upperBound(Infinity);
}

function everySlice<T>(make: (slice: number) => T): readonly T[] {
  return Array.from({ length: slices }, (_, slice) => make(slice));
}

function sliceOf(gram: number): number {
  return Math.floor(gram / 8 / width);
}

function hasBit(bits: Uint8Array, place: number, gram: number): boolean {
  const byte = bits[place * width + ((gram >> 3) % width)] ?? 0;
  return (byte & (1 << (gram & 7))) !== 0;
}

function bitsByShelf(rows: readonly unknown[]): ReadonlyMap<number, Uint8Array> {
  return new Map(rows.filter(isSlice).map(({ shelf, bits }) => [shelf, bits]));
}

function isSlice(row: unknown): row is { readonly shelf: number; readonly bits: Uint8Array } {
  return isJsonObject(row) && typeof row.shelf === 'number' && 'bits' in row && isBytes(row.bits);
}

/** Also of another realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isShelf(row: unknown): row is Shelf {
  return isJsonObject(row) && typeof row.number === 'number' && Array.isArray(row.ids) && Array.isArray(row.seqs);
}
