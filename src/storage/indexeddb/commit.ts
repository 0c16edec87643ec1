import type { SessionWrite } from '../../core/model/store.ts';
import { conflict } from '../storage-errors.ts';
import { unheard } from '../disk.ts';
import type { Packed } from './blobs.ts';
import { type Cover, isInRanges, storedRanges } from './covers.ts';
import { type FenceKey, fenceKey, toFenceKey } from './keys.ts';
import type { SessionDisk, Transaction } from './schema.ts';
import { type EventRow, toRows } from '../rows/to-rows.ts';
import type { Marked } from '../rows/waiting-mark.ts';

/** A write as it is put into rows: of the events and the row of the list, only these fields are read. */
export interface RowsWrite extends Omit<SessionWrite, 'events' | 'summary'> {
  readonly events: readonly { readonly seq: number }[];
  readonly summary: Marked<{ readonly id: string; readonly seq: number }>;
}

const tables = ['fences', 'list', 'events', 'covers', 'refs', 'blobs'] as const;

/** Rows put without a pause: some dozens of ms. */
const chunk = 1_000;
/** The same, of rows of up to 32,000 characters. */
const settledChunk = 64;

/** What is known of the session of a write. */
export interface CommitOptions {
  /**
   * Whether this connection has seen a fence of the session. Where the write also names the last write, or the session is new, a failing
   * `add` alone reports a wrong fence (see schema.ts), and nothing has to be awaited. Otherwise only a read can detect that the fence is
   * missing or another one.
   */
  readonly isKnown: boolean;
  readonly packed?: Packed | undefined;
  /** Whether a session with this id was removed and purged: the fence of the removal is released. */
  readonly wasRemoved?: boolean;
}

/**
 * Puts one write into one transaction, and settles with the transaction. Nothing is deleted: what the write replaces is noted in a cover,
 * and `cleanUp` deletes it later. The transaction is handed over to the browser within this call, unless the fence has to be read first,
 * or there are so many rows that putting them at once would block the page.
 *
 * Rejects with the transaction's DOMException (`ConstraintError` where the fence is not the expected one), or with
 * AgentError `STORAGE_CONFLICT` where there is no fence.
 */
export function commit(disk: SessionDisk, write: RowsWrite, options: CommitOptions): Promise<void> {
  const { expectedSeq, expectedWriteId, durability, phase } = write;
  const { isKnown, packed, wasRemoved = false } = options;
  if (editsStored(write)) return Promise.reject(conflict());
  const isBlind = expectedSeq === 0 || (isKnown && expectedWriteId !== undefined);
  const limit = phase === 'settled' ? settledChunk : chunk;

  if (isBlind) {
    const rows = take(rowsOf(write, packed), limit);
    if (rows.length < limit) {
      const putAll = (transaction: Transaction<'readwrite'>): void => {
        putHead(transaction, write, packed);
        for (const row of rows) unheard([putRow(transaction, write, row)]);
        putCover(transaction, write, rows, packed);
        unheard([putFence(transaction, write, expectedFence(write, wasRemoved))]);
      };
      return disk.write(tables, putAll, durability);
    }
  }

  return disk.run(
    tables,
    'readwrite',
    async (transaction) => {
      const fence = isBlind ? expectedFence(write, wasRemoved) : await readFence(transaction, write);
      putHead(transaction, write, packed);
      const put: EventRow[] = [];
      for (const row of rowsOf(write, packed)) {
        const putting = putRow(transaction, write, row);
        unheard([putting]);
        // A long write would block the page. The pending request keeps the transaction alive.
        if (put.push({ seq: row.seq, value: undefined }) % limit === 0) await putting;
      }
      putCover(transaction, write, put, packed);
      await putFence(transaction, write, fence);
    },
    durability,
  );
}

function expectedFence(
  { sessionId, expectedSeq, expectedWriteId }: RowsWrite,
  wasRemoved: boolean,
): FenceKey | undefined {
  if (expectedSeq > 0) return fenceKey(sessionId, expectedSeq, expectedWriteId);
  return wasRemoved ? fenceKey(sessionId, 0) : undefined;
}

/** Resolves with the key of the fence. Rejects with AgentError `STORAGE_CONFLICT` where it is not the expected one. */
async function readFence(
  transaction: Transaction<'readwrite'>,
  { sessionId, expectedSeq, expectedWriteId }: RowsWrite,
): Promise<FenceKey> {
  const fence = toFenceKey(await transaction.objectStore('fences').index('id').getKey(sessionId));
  if (fence[1] !== expectedSeq || (expectedWriteId ?? fence[2]) !== fence[2]) throw conflict();
  return fence;
}

/**
 * The compare-and-set (schema.ts): the last requests, because no other request of a write may fail (rule 5 of `Disk`).
 *
 * @param expected missing for a session that is new
 */
function putFence(
  transaction: Transaction<'readwrite'>,
  { sessionId, summary, writeId }: RowsWrite,
  expected: FenceKey | undefined,
): Promise<unknown> {
  const fences = transaction.objectStore('fences');
  const next = fenceKey(sessionId, summary.seq, writeId);
  // A write without a name that adds no event leaves the fence as it is.
  const isSame = expected !== undefined && indexedDB.cmp(expected, next) === 0;
  if (isSame) return fences.put(sessionId, expected);
  if (expected) unheard([fences.put(null, expected)]);
  return fences.add(sessionId, next);
}

/** Puts the row of the list and the blobs. */
function putHead(
  transaction: Transaction<'readwrite'>,
  { sessionId, expectedSeq, summary, phase }: RowsWrite,
  packed: Packed | undefined,
): void {
  // While a text streams, the list's row would be as big as the rest of the write.
  if (phase !== 'streaming' || expectedSeq === 0) unheard([transaction.objectStore('list').put(summary)]);
  packed?.blobs.forEach((value, hash) => unheard([transaction.objectStore('blobs').put(value, hash)]));
  packed?.refs.forEach((ref, index) =>
    unheard([transaction.objectStore('refs').put(ref, [sessionId, ref.seq, index])]),
  );
}

function putRow(
  transaction: Transaction<'readwrite'>,
  { sessionId }: RowsWrite,
  { seq, value }: EventRow,
): Promise<unknown> {
  return transaction.objectStore('events').put(value, [sessionId, seq]);
}

/** Whether a write would edit a stored event: one that is not above the stored events, and in no range that the write replaces. */
function editsStored({ events, expectedSeq, replaces = [] }: RowsWrite): boolean {
  return events.some(({ seq }) => seq <= expectedSeq && !isInRanges(replaces, seq));
}

function putCover(
  transaction: Transaction<'readwrite'>,
  { sessionId, expectedSeq, replaces = [], summary }: RowsWrite,
  rows: readonly { readonly seq: number }[],
  packed: Packed | undefined,
): void {
  const ranges = storedRanges(replaces, expectedSeq);
  if (ranges.length === 0) return;
  const cover: Cover = {
    ranges,
    rows: rows.map(({ seq }) => seq).filter((seq) => isInRanges(ranges, seq)),
    refs: (packed?.refs ?? [])
      .map(({ seq }, index) => [seq, index] as const)
      .filter(([seq]) => isInRanges(ranges, seq)),
  };
  unheard([transaction.objectStore('covers').put(cover, [sessionId, summary.seq])]);
}

function* rowsOf({ events, phase }: RowsWrite, packed: Packed | undefined): Generator<EventRow, void> {
  const values = packed?.rows ?? events;
  if (phase === 'settled') yield* toRows(events, values);
  else for (const [index, { seq }] of events.entries()) yield { seq, value: values[index] };
}

/** Returns at most `count` items. */
function take<T>(items: Iterable<T>, count: number): readonly T[] {
  const taken: T[] = [];
  for (const item of items) if (taken.push(item) === count) break;
  return taken;
}
