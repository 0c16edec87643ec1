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

/** The texts of some sessions; where one has changed since its row was made, the row is made anew. */
async function textsOf(db: IDBDatabase, keys: readonly RowKey[]): Promise<readonly string[]> {
  const rows: readonly unknown[] = await within(db, 'readonly', (table) =>
    Promise.all(keys.map(([id]) => resultOf(table('texts').get(id)))),
  );
  const made = await makeTexts(
    db,
    keys.filter((key, index) => !isTextOf(rows[index], key[1])),
  );
  return keys.map(([id, seq], index) => {
    const row = made.get(id) ?? rows[index];
    return isTextOf(row, seq) ? row.text : '';
  });
}

async function makeTexts(db: IDBDatabase, keys: readonly RowKey[]): Promise<ReadonlyMap<string, SearchText>> {
  const made = new Map<string, SearchText>();
  if (keys.length === 0) return made;
  const logs: readonly (readonly [head: unknown, events: readonly unknown[]])[] = await within(
    db,
    'readonly',
    (table) =>
      Promise.all(
        keys.map(([id, seq]) =>
          Promise.all([resultOf(table('sessions').get([id, seq])), resultOf(table('events').getAll(keysOf(id)))]),
        ),
      ),
  );
  for (const [index, [id, seq]] of keys.entries()) {
    const [head, events = []] = logs[index] ?? [];
    // Else it has changed or gone meanwhile.
    if (head !== undefined)
      made.set(id, { seq, text: toSearchText(id, isHead(head) ? head.title : '', events.filter(isEvent)) });
  }
  await within(db, 'readwrite', (table) =>
    Promise.all(
      keys.map(async (key) => {
        // Of a removed session nothing may be left.
        const isThere = (await resultOf(table('sessions').count(key))) > 0;
        if (isThere && made.has(key[0])) table('texts').put(made.get(key[0]), key[0]);
      }),
    ),
  );
  return made;
}

function isTextOf(row: unknown, seq: number): row is SearchText {
  return isJsonObject(row) && row.seq === seq && typeof row.text === 'string';
}
