import { type Covers, refFilter, rowFilter } from './covers.ts';
import { type RefKey, type RowKey, keysAfter, keysOf, piecesAfter } from './keys.ts';
import type { Transaction } from './schema.ts';

/** The rows of a log that count, in order, with the references to their blobs. Values are unchecked. */
export interface LogRows {
  readonly keys: readonly RowKey[];
  readonly rows: readonly unknown[];
  readonly refs: readonly unknown[];
}

type Reading = Transaction<'readonly' | 'readwrite'>;

/**
 * Reads the rows of a session above a `seq`. Rows that a later write has replaced are left out, whether or not they are deleted already.
 *
 * @param needsKeys whether the caller reads `keys`, which costs a request; otherwise they may be empty
 */
export async function readLogRows(
  transaction: Reading,
  sessionId: string,
  after: number = -Infinity,
  needsKeys: boolean = false,
): Promise<LogRows> {
  const range = keysAfter(sessionId, after);
  const [events, refTable] = [transaction.objectStore('events'), transaction.objectStore('refs')];
  const rows: unknown[] = [];
  // The page unpacks one piece while the browser reads the next.
  const pieces = piecesAfter(sessionId, after).map(async (piece) => {
    for (const row of await events.getAll(piece)) rows.push(row);
  });
  const [covers, refs, asked] = await Promise.all([
    readCovers(transaction, sessionId),
    refTable.getAll(range),
    needsKeys ? events.getAllKeys(range) : [],
    ...pieces,
  ]);
  if (covers.length === 0) return { keys: asked, rows, refs };
  const [keys, refKeys] = await Promise.all([needsKeys ? asked : events.getAllKeys(range), refTable.getAllKeys(range)]);
  return without(covers, { keys, rows, refs }, refKeys);
}

export function readCovers(transaction: Reading, sessionId: string): Promise<Covers> {
  return transaction.objectStore('covers').getAll(keysOf(sessionId));
}

/** Leaves out the rows that do not count. */
function without(covers: Covers, { keys, rows, refs }: LogRows, refKeys: readonly RefKey[]): LogRows {
  const [counts, refCounts] = [rowFilter(covers), refFilter(covers)];
  const isCounted = (_row: unknown, index: number): boolean => {
    const key = keys[index];
    return key !== undefined && counts(key);
  };
  return {
    keys: keys.filter(counts),
    rows: rows.filter(isCounted),
    refs: refs.filter((_ref, index) => {
      const key = refKeys[index];
      return key !== undefined && refCounts(key);
    }),
  };
}
