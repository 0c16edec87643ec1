import { isJsonObject } from '../../../core/json.ts';
import { signatureSize, toSignature } from './trigrams.ts';
import type { SessionDisk, Transaction } from '../schema.ts';
import type { RowKey } from '../keys.ts';
import { currentFilter } from './session-keys.ts';

// The signature index. Signatures of many sessions form a block, which is stored in slices: one row contains the same bits
// of all sessions of a block, so that a search reads a few bytes per session. A block is written once; the entry of a
// session that has changed since is ignored.

/** Sessions in a full block. Rows stay below 64 KB, from which on Chromium stores a value in a file of its own. */
export const blockSize = 250;
/** Fewer sessions are not worth a block: a search reads their texts. */
export const minBlockSize = 100;

const slices = 64;
/** Bytes of one session in each slice. */
const width = signatureSize / slices;

/** The sessions of a block, by position; a removed session leaves an empty id. */
interface Block {
  readonly number: number;
  readonly ids: readonly string[];
  readonly seqs: readonly number[];
}

/** One slice of a block. */
interface Slice {
  /** Number of the block. The field keeps this name, because slices are stored on disks. */
  readonly shelf: number;
  readonly bits: Uint8Array;
}

/** A session with its signature, to be added to a block. */
export interface SignedSession {
  readonly key: RowKey;
  readonly signature: Uint8Array;
}

export function sign(key: RowKey, text: string): SignedSession {
  return { key, signature: toSignature(text) };
}

/** The answer of the index to a search. */
export interface IndexMatches {
  /** By session id: whether all bits are set. Missing where no block contains the session's present `seq`. */
  readonly mayMatch: ReadonlyMap<string, boolean>;
  /** Numbers of blocks in which at most half of the entries are current. */
  readonly staleBlocks: readonly number[];
}

/** @param currentSeqs `seq` of each session that is searched */
export async function lookUp(
  transaction: Transaction<'readonly'>,
  currentSeqs: ReadonlyMap<string, number>,
  trigrams: readonly number[],
): Promise<IndexMatches> {
  const texts = transaction.objectStore('texts');
  const wanted = Array.from(new Set(trigrams.map(sliceOf)));
  const [numbers, blocks, rows] = await Promise.all([
    texts.getAllKeys(anyBlock()),
    texts.getAll(anyBlock()),
    Promise.all(wanted.map((slice) => texts.getAll(IDBKeyRange.bound([slice], [slice, []])))),
  ]);
  const bitsOf = new Map(wanted.map((slice, index) => [slice, bitsByBlock(rows[index] ?? [])]));
  const mayMatch = new Map<string, boolean>();
  const staleBlocks: number[] = [];
  for (const [index, row] of blocks.entries()) {
    const number = numbers[index];
    if (typeof number !== 'number') continue;
    const { ids, seqs } = isBlock(row) ? row : { ids: [], seqs: [] };
    const sought = trigrams.map((trigram) => ({ trigram, bits: bitsOf.get(sliceOf(trigram))?.get(number) }));
    let currentEntries = 0;
    for (const [position, id] of ids.entries()) {
      if (mayMatch.has(id) || currentSeqs.get(id) !== seqs[position]) continue;
      currentEntries++;
      mayMatch.set(
        id,
        // A slice that is lost or damaged excludes no session.
        sought.every(({ trigram, bits }) => bits?.length !== ids.length * width || hasBit(bits, position, trigram)),
      );
    }
    if (currentEntries * 2 <= ids.length) staleBlocks.push(number);
  }
  return { mayMatch, staleBlocks };
}

/** Writes a new block of the sessions that have not changed meanwhile; afterwards deletes stale blocks. */
export async function writeBlock(
  disk: SessionDisk,
  signed: readonly SignedSession[],
  staleBlocks: readonly number[],
): Promise<void> {
  await disk.run(['fences', 'texts'], 'readwrite', async (transaction) => {
    const texts = transaction.objectStore('texts');
    const isCurrent = await currentFilter(
      transaction,
      signed.map(({ key }) => key),
    );
    const numbers = await texts.getAllKeys(anyBlock());
    const current = signed.filter(({ key }) => isCurrent(key));
    const number = Number(numbers.at(-1) ?? 0) + 1;
    const block: Block = { number, ids: current.map(({ key }) => key[0]), seqs: current.map(({ key }) => key[1]) };
    await Promise.all([
      texts.put(block, number),
      ...everySlice((slice) => {
        const bits = new Uint8Array(current.length * width);
        for (const [position, { signature }] of current.entries())
          bits.set(signature.subarray(slice * width, (slice + 1) * width), position * width);
        const row: Slice = { shelf: number, bits };
        return texts.put(row, [slice, number]);
      }),
    ]);
  });
  if (staleBlocks.length === 0) return;
  await disk.run(['texts'], 'readwrite', async (transaction) => {
    const texts = transaction.objectStore('texts');
    await Promise.all(
      staleBlocks.flatMap((stale) => [texts.delete(stale), ...everySlice((slice) => texts.delete([slice, stale]))]),
    );
  });
}

/** Erases the id and the bits of a session from all blocks: nothing of a removed session may be left. */
export async function removeFromBlocks(transaction: Transaction<'readwrite'>, sessionId: string): Promise<void> {
  const texts = transaction.objectStore('texts');
  for (const block of await texts.getAll(anyBlock())) {
    if (!isBlock(block)) continue;
    const position = block.ids.indexOf(sessionId);
    if (position < 0) continue;
    await texts.put({ ...block, ids: block.ids.with(position, '') }, block.number);
    await Promise.all(
      everySlice(async (slice) => {
        const row = await texts.get([slice, block.number]);
        if (!isSlice(row)) return;
        const bits = row.bits.fill(0, position * width, (position + 1) * width);
        await texts.put({ ...row, bits }, [slice, block.number]);
      }),
    );
  }
}

/** Blocks have numbers as keys, which come before all session ids. */
function anyBlock(): IDBKeyRange {
  return IDBKeyRange.upperBound(Infinity);
}

function everySlice<T>(make: (slice: number) => T): readonly T[] {
  return Array.from({ length: slices }, (_, slice) => make(slice));
}

function sliceOf(trigram: number): number {
  return Math.floor(trigram / 8 / width);
}

function hasBit(bits: Uint8Array, position: number, trigram: number): boolean {
  const byte = bits[position * width + ((trigram >> 3) % width)] ?? 0;
  return (byte & (1 << (trigram & 7))) !== 0;
}

function bitsByBlock(rows: readonly unknown[]): ReadonlyMap<number, Uint8Array> {
  return new Map(rows.filter(isSlice).map(({ shelf, bits }) => [shelf, bits]));
}

function isSlice(row: unknown): row is Slice {
  return isJsonObject(row) && typeof row.shelf === 'number' && 'bits' in row && isBytes(row.bits);
}

/** Also true for bytes from another realm, unlike `instanceof Uint8Array`. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isBlock(row: unknown): row is Block {
  return isJsonObject(row) && typeof row.number === 'number' && Array.isArray(row.ids) && Array.isArray(row.seqs);
}
