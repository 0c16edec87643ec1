import { isJsonObject } from '../../core/json.ts';
import { waitsForPerson } from '../../core/model/summary.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { parseCursor, type Place } from '../cursor.ts';

// The index `waiting` of the list contains the rows with the mark `waits: 1`, so that the sessions that wait are found without reading the
// others. The mark is not encrypted. It may be there in vain, after an upgrade of encrypted rows: readers check the row.

/** A row as it is stored, with the mark where a call of the session waits for a person. */
export type Marked<Row> = Row & { readonly waits?: 1 };

/** Returns the row with its mark; the same row where nothing waits. */
export function withMark<Row extends object>(
  row: Row,
  summary: Pick<SessionSummary, 'status' | 'waiting'>,
): Marked<Row> {
  return waitsForPerson(summary) ? { ...row, waits: 1 } : row;
}

/** Returns the row without its mark. */
export function withoutMark<Row extends object>(row: Row): Row {
  if (!('waits' in row)) return row;
  const { waits: _waits, ...rest } = row;
  // The field is not one of the row's own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return rest as Row;
}

/** Returns what a row of an older version has to be marked with: an encrypted row does not show whether its session waits. */
export function markOlder(row: unknown): unknown {
  if (!isJsonObject(row)) return row;
  // A removed session has its row within its tombstone, from which it is restored.
  if (row.seq === 0) return isJsonObject(row.row) ? { ...row, row: markOlder(row.row) } : row;
  return row.status === 'waiting' || 'sealed' in row ? { ...row, waits: 1 } : row;
}

/** Where a page of the list is read: an index and a range of its keys, which is read backwards. */
export interface ListRange {
  readonly index: 'updated' | 'waiting';
  readonly range: IDBKeyRange | null;
}

export function listRange(cursor: string | undefined, waiting = false): ListRange {
  const end = cursor === undefined ? undefined : parseCursor(cursor);
  if (!waiting) return { index: 'updated', range: end ? IDBKeyRange.upperBound(end, true) : null };
  return { index: 'waiting', range: IDBKeyRange.bound([1], end ? [1, ...end] : [1, []], false, true) };
}

/** Returns the range of the rows before a key of the index. */
export function rangeBefore(key: IDBValidKey, waiting = false): IDBKeyRange {
  return waiting ? IDBKeyRange.bound([1], key, false, true) : IDBKeyRange.upperBound(key, true);
}

/** Returns the place of a row in the list, of its key in either index. */
export function placeOf(key: IDBValidKey): IDBValidKey {
  return Array.isArray(key) && key.length === 3 ? key.slice(1) : key;
}

/** A key of the index `waiting`. */
export type WaitingKey = [waits: 1, ...Place];
