import { isJsonObject } from '../../../core/json.ts';
import type { SessionEvent } from '../../../core/model/event.ts';
import { createPauses } from '../../files/pause.ts';
import { keysAfter, keysOf } from '../keys.ts';
import { isSummary, toLog } from '../rows.ts';
import type { Database, RowKey, Transaction } from '../schema.ts';
import { toSearchText } from '../../search-text.ts';
import { inTransaction } from '../in-transaction.ts';

/** The searched text of a session; outdated when the list shows another `seq` of the session. */
export interface SearchText {
  /** 0 while a reply streams, because the list's `seq` lags behind then: the text serves one search and is not stored. */
  readonly seq: number;
  readonly text: string;
}

/** Sessions whose logs are read in one transaction: some ms. */
const logsPerTransaction = 20;
/** Rows of a log that are read in one request: some ms. */
const rowsPerRequest = 250;

/**
 * Returns the texts of sessions, and makes the row of a session that has changed since its row was made. A text is
 * missing where its session was removed, or where the signal aborted first.
 */
export async function readTexts(
  db: Database,
  keys: readonly RowKey[],
  signal: AbortSignal | undefined,
): Promise<readonly (SearchText | undefined)[]> {
  const rows = await inTransaction(db, 'readonly', (transaction) =>
    Promise.all(keys.map(([id]) => transaction.objectStore('texts').get(id))),
  );
  const missing = keys.filter((key, index) => !isTextOf(rows[index], key[1]));
  const made = new Map<string, SearchText>();
  const pauses = createPauses();
  for (let from = 0; from < missing.length; from += logsPerTransaction) {
    if (signal?.aborted) break;
    await makeTexts(db, missing.slice(from, from + logsPerTransaction), made, pauses.spend);
  }
  // Rows that cannot be stored, for example on a full disk, are made again by the next search.
  if (made.size > 0) await write(db, missing, made).catch(() => {});
  return keys.map(([id, seq], index) => {
    const row = rows[index];
    return made.get(id) ?? (isTextOf(row, seq) ? row : undefined);
  });
}

async function makeTexts(
  db: Database,
  keys: readonly RowKey[],
  made: Map<string, SearchText>,
  spend: (cost: number) => Promise<void> | undefined,
): Promise<void> {
  const read = await inTransaction(db, 'readonly', (transaction) =>
    Promise.all(
      keys.map((key) => Promise.all([transaction.objectStore('sessions').get(key), readLog(transaction, key[0])])),
    ),
  );
  for (const [index, [id, seq]] of keys.entries()) {
    const [head, log = []] = read[index] ?? [];
    // The session has changed or was removed meanwhile.
    if (head === undefined) continue;
    const text = toSearchText(id, isSummary(head) ? head.title : '', log);
    made.set(id, { seq: isSummary(head) && head.status === 'running' ? 0 : seq, text });
    await spend(text.length + log.length * 100);
  }
}

/** Reads a log in several requests: a long log in one request would block the page. */
async function readLog(transaction: Transaction<'readonly'>, sessionId: string): Promise<readonly SessionEvent[]> {
  const table = transaction.objectStore('events');
  const log: unknown[] = [];
  for (let range = keysOf(sessionId); ;) {
    const rows: readonly unknown[] = await table.getAll(range, rowsPerRequest);
    log.push(...rows);
    const last = rows.length < rowsPerRequest ? undefined : (await table.getAllKeys(range, rowsPerRequest)).at(-1);
    if (last === undefined) return toLog(log).events;
    range = keysAfter(sessionId, last[1]);
  }
}

function write(db: Database, keys: readonly RowKey[], made: ReadonlyMap<string, SearchText>): Promise<unknown> {
  return inTransaction(db, 'readwrite', (transaction) =>
    Promise.all(
      keys.map(async (key) => {
        // Nothing of a removed session may be stored.
        const isThere = (await transaction.objectStore('sessions').count(key)) > 0;
        if (isThere && made.get(key[0])?.seq) await transaction.objectStore('texts').put(made.get(key[0]), key[0]);
      }),
    ),
  );
}

function isTextOf(row: unknown, seq: number): row is SearchText {
  return isJsonObject(row) && row.seq === seq && typeof row.text === 'string';
}
