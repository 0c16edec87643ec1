import type { ListOptions, SessionPage, SessionSummary } from '../../core/model/store.ts';
import { checkLimit, parseCursor, toCursor } from '../cursor.ts';
import { readSummary } from '../indexeddb/rows.ts';
import type { SessionDisk } from '../indexeddb/schema.ts';
import { hasMetadata } from '../where.ts';
import { openListed } from './heads.ts';
import type { Sealer } from './sealer.ts';

/** Returns one page of the list. Rows are decrypted between two requests, as many as the page has. */
export async function listPage(
  disk: SessionDisk,
  sealer: Sealer,
  { limit = 50, cursor, where }: ListOptions,
  isStrict: boolean,
): Promise<SessionPage> {
  checkLimit(limit);
  const sessions: SessionSummary[] = [];
  let last: IDBValidKey = [];
  let range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
  for (;;) {
    const rows = await rowsBefore(disk, range, limit + 1);
    const heads = await Promise.all(rows.map(({ value }) => openListed(sealer, value, isStrict)));
    for (const [index, { key }] of rows.entries()) {
      if (!hasMetadata(heads[index], where)) continue;
      if (sessions.length === limit) return { sessions, cursor: toCursor(last) };
      // One unreadable row must not break the list.
      sessions.push(readSummary(heads[index]));
      last = key;
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length <= limit) return { sessions };
    range = IDBKeyRange.upperBound(end.key, true);
  }
}

/** A row of the list with its key in the index. */
interface ListedRow {
  readonly key: IDBValidKey;
  readonly value: unknown;
}

/** Returns the newest rows of a range, unchecked. */
function rowsBefore(disk: SessionDisk, range: IDBKeyRange | null, count: number): Promise<readonly ListedRow[]> {
  return disk.run(['list'], 'readonly', async (transaction) => {
    const rows: ListedRow[] = [];
    let row = await transaction.objectStore('list').index('updated').openCursor(range, 'prev');
    for (; row !== null && rows.length < count; row = await row.continue())
      rows.push({ key: row.key, value: row.value });
    return rows;
  });
}
