import type { ListOptions, SessionPage, SessionSummary } from '../../core/model/store.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { waitsForPerson } from '../../core/model/summary.ts';
import { checkLimit, toCursor } from '../cursor.ts';
import { readSummary } from '../rows/rows.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { isSealed } from '../rows/sealed-row.ts';
import { listRange, type ListRange, placeOf, rangeBefore, withoutMark } from '../rows/waiting-mark.ts';
import { isListed } from '../where.ts';
import { openListed } from './heads.ts';
import type { Sealer } from './sealer.ts';

/** Returns one page of the list. Rows are decrypted between two requests, as many as the page has. */
export async function listPage(
  disk: SessionDisk,
  sealer: Sealer,
  { limit = 50, cursor, where, waiting = false, children }: ListOptions,
  isStrict: boolean,
): Promise<SessionPage> {
  checkLimit(limit);
  const sessions: SessionSummary[] = [];
  let last: IDBValidKey = [];
  const { index, range: all } = listRange(cursor, waiting);
  let range = all;
  for (;;) {
    const rows = await rowsBefore(disk, { index, range }, limit + 1);
    const heads = await Promise.all(rows.map(({ value }) => openListed(sealer, value, isStrict)));
    if (waiting) unmark(disk, markedInVain(rows, heads)).catch(() => {});
    for (const [at, { key }] of rows.entries()) {
      if (!isListed(heads[at], { where, waiting, children })) continue;
      // One unreadable row must not break the list.
      const head = readSummary(heads[at]);
      if (waiting && !waitsForPerson(head)) continue;
      if (sessions.length === limit) return { sessions, cursor: toCursor(placeOf(last)) };
      sessions.push(head);
      last = key;
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length <= limit) return { sessions };
    range = rangeBefore(end.key, waiting);
  }
}

/** A row of the list with its key in the index. */
interface ListedRow {
  readonly key: IDBValidKey;
  readonly value: unknown;
}

/** Returns the newest rows of a range, unchecked. */
function rowsBefore(disk: SessionDisk, { index, range }: ListRange, count: number): Promise<readonly ListedRow[]> {
  return disk.run(['list'], 'readonly', async (transaction) => {
    const rows: ListedRow[] = [];
    let row = await transaction.objectStore('list').index(index).openCursor(range, 'prev');
    for (; row !== null && rows.length < count; row = await row.continue())
      rows.push({ key: row.key, value: row.value });
    return rows;
  });
}

/** What shows whether a row has changed. */
interface RowState {
  readonly id: string;
  readonly seq: Json | undefined;
  readonly updatedAt: Json | undefined;
}

/** Returns the rows that an upgrade has marked and whose sessions do not wait. A row of another key stays marked: its state is unknown. */
function markedInVain(rows: readonly ListedRow[], heads: readonly unknown[]): readonly RowState[] {
  return rows.flatMap(({ value }, index) => {
    const head = heads[index];
    if (!isJsonObject(value) || isSealed(head) || waitsForPerson(readSummary(head))) return [];
    const { id, seq, updatedAt } = value;
    return typeof id === 'string' ? [{ id, seq, updatedAt }] : [];
  });
}

/** Removes the marks of rows that have not changed since they were read, so that the next list does not decrypt them. */
async function unmark(disk: SessionDisk, rows: readonly RowState[]): Promise<void> {
  if (rows.length === 0) return;
  await disk.run(['list'], 'readwrite', async (transaction) => {
    const list = transaction.objectStore('list');
    const now = await Promise.all(rows.map(({ id }) => list.get(id)));
    const same = now.filter(
      (row, at) => isJsonObject(row) && row.seq === rows[at]?.seq && row.updatedAt === rows[at]?.updatedAt,
    );
    await Promise.all(same.map((row) => list.put(withoutMark(Object(row)))));
  });
}
