import { isJsonObject } from '../core/json.ts';
import type { ListOptions, SessionHead, SessionPage } from '../core/log/store.ts';
import { parseCursor, toCursor } from './cursor.ts';
import { isRowKey, keysOf } from './keys.ts';
import { resultOf } from './request.ts';
import { isEvent, isHead } from './rows.ts';
import { hasWords, toSearchText, toWords } from './search-text.ts';
import { within } from './within.ts';

/** What a session is searched by; outdated when the session has another `seq`. */
interface SearchText {
  readonly seq: number;
  readonly text: string;
}

/** Sessions looked at in one transaction. */
const batch = 100;

/**
 * Looks through the sessions, the newest first, until a page is full. Each has a row with its text; where the session has
 * changed since that was made, it is made anew, so that only what has changed is read as a whole.
 */
export async function search(
  db: IDBDatabase,
  { search: sought = '', limit = 50, cursor }: ListOptions,
): Promise<SessionPage> {
  const words = toWords(sought);
  const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
  const rising = await within(db, 'readonly', (table) =>
    resultOf(table('sessions').index('updated').getAllKeys(range)),
  );
  const keys = rising.filter(isRowKey).toReversed();
  const sessions: SessionHead[] = [];
  for (let from = 0; from < keys.length; from += batch) {
    const some = keys.slice(from, from + batch);
    const texts = await textsOf(db, some);
    for (const [index, key] of some.entries()) {
      if (!hasWords(texts[index] ?? '', words)) continue;
      const head: unknown = await within(db, 'readonly', (table) => resultOf(table('sessions').get(key)));
      if (!isHead(head)) continue;
      sessions.push(head);
      const isLast = from + index === keys.length - 1;
      if (sessions.length === limit)
        return { sessions, ...(!isLast && { cursor: toCursor([head.updatedAt, head.id]) }) };
    }
  }
  return { sessions };
}

type RowKey = [sessionId: string, seq: number];

/** The texts of some sessions. */
async function textsOf(db: IDBDatabase, keys: readonly RowKey[]): Promise<readonly string[]> {
  const rows: readonly unknown[] = await within(db, 'readonly', (table) =>
    Promise.all(keys.map(([id]) => resultOf(table('texts').get(id)))),
  );
  const texts: string[] = [];
  for (const [index, key] of keys.entries()) {
    const row = rows[index];
    texts.push(isTextOf(row, key[1]) ? row.text : await makeText(db, key));
  }
  return texts;
}

async function makeText(db: IDBDatabase, [id, seq]: RowKey): Promise<string> {
  const [head, events]: readonly [unknown, readonly unknown[]] = await within(db, 'readonly', (table) =>
    Promise.all([resultOf(table('sessions').get([id, seq])), resultOf(table('events').getAll(keysOf(id)))]),
  );
  // Changed or removed meanwhile.
  if (head === undefined) return '';
  const text = toSearchText(id, isHead(head) ? head.title : '', events.filter(isEvent));
  const row: SearchText = { seq, text };
  await within(db, 'readwrite', async (table) => {
    // Of a removed session nothing may be left.
    if ((await resultOf(table('sessions').count([id, seq]))) > 0) table('texts').put(row, id);
  });
  return text;
}

function isTextOf(row: unknown, seq: number): row is SearchText {
  return isJsonObject(row) && row.seq === seq && typeof row.text === 'string';
}
