import { isJsonObject } from '../core/json.ts';
import type { ListOptions, SessionHead, SessionPage } from '../core/log/store.ts';
import { parseCursor, toCursor } from './cursor.ts';
import { keysOf } from './keys.ts';
import { isEvent, isHead } from './rows.ts';
import type { Database, RowKey } from './schema.ts';
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
  db: Database,
  { search: sought = '', limit = 50, cursor }: ListOptions,
): Promise<SessionPage> {
  const words = toWords(sought);
  const range = cursor === undefined ? null : IDBKeyRange.upperBound(parseCursor(cursor), true);
  const rising = await within(db, 'readonly', (transaction) =>
    transaction.objectStore('sessions').index('updated').getAllKeys(range),
  );
  const keys = rising.toReversed();
  const sessions: SessionHead[] = [];
  for (let from = 0; from < keys.length; from += batch) {
    const some = keys.slice(from, from + batch);
    const texts = await textsOf(db, some);
    for (const [index, key] of some.entries()) {
      if (!hasWords(texts[index] ?? '', words)) continue;
      const head = await within(db, 'readonly', (transaction) => transaction.objectStore('sessions').get(key));
      if (!isHead(head)) continue;
      sessions.push(head);
      const isLast = from + index === keys.length - 1;
      if (sessions.length === limit)
        return { sessions, ...(!isLast && { cursor: toCursor([head.updatedAt, head.id]) }) };
    }
  }
  return { sessions };
}

/** The texts of some sessions; where one has changed since its row was made, the row is made anew. */
async function textsOf(db: Database, keys: readonly RowKey[]): Promise<readonly string[]> {
  const rows = await within(db, 'readonly', (transaction) =>
    Promise.all(keys.map(([id]) => transaction.objectStore('texts').get(id))),
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

async function makeTexts(db: Database, keys: readonly RowKey[]): Promise<ReadonlyMap<string, SearchText>> {
  const made = new Map<string, SearchText>();
  if (keys.length === 0) return made;
  const logs = await within(db, 'readonly', (transaction) =>
    Promise.all(
      keys.map((key) =>
        Promise.all([
          transaction.objectStore('sessions').get(key),
          transaction.objectStore('events').getAll(keysOf(key[0])),
        ]),
      ),
    ),
  );
  for (const [index, [id, seq]] of keys.entries()) {
    const [head, events = []] = logs[index] ?? [];
    // Else it has changed or gone meanwhile.
    if (head !== undefined)
      made.set(id, { seq, text: toSearchText(id, isHead(head) ? head.title : '', events.filter(isEvent)) });
  }
  await within(db, 'readwrite', (transaction) =>
    Promise.all(
      keys.map(async (key) => {
        // Of a removed session nothing may be left.
        const isThere = (await transaction.objectStore('sessions').count(key)) > 0;
        if (isThere && made.has(key[0])) await transaction.objectStore('texts').put(made.get(key[0]), key[0]);
      }),
    ),
  );
  return made;
}

function isTextOf(row: unknown, seq: number): row is SearchText {
  return isJsonObject(row) && row.seq === seq && typeof row.text === 'string';
}
