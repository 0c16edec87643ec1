import { isJsonObject } from '../../../core/json.ts';
import type { SessionEvent } from '../../../core/model/event.ts';
import { createPauses } from '../../files/pause.ts';
import { keysAfter, keysOf } from '../keys.ts';
import { isHead, toLog } from '../rows.ts';
import type { Database, RowKey, Transaction } from '../schema.ts';
import { toSearchText } from '../../search-text.ts';
import { inTransaction } from '../in-transaction.ts';

/** What a session is searched by; outdated when the list shows another `seq` of the session. */
export interface SearchText {
  /** 0 while something streams, which the list's `seq` says nothing of: good for one search. */
  readonly seq: number;
  readonly text: string;
}

/** Sessions whose logs are read in one transaction, and rows of a log in one request: each some ms. */
const logs = 20;
const rowsAtOnce = 250;

/**
 * The texts of some sessions; where one has changed since its row was made, the row is made anew. Missing where a session has gone, or the
 * signal has come before its turn.
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
  for (let from = 0; from < missing.length; from += logs) {
    if (signal?.aborted) break;
    await makeTexts(db, missing.slice(from, from + logs), made, pauses.spend);
  }
  // What cannot be written down, on a full disk say, is made again the next time.
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
    // Else it has changed or gone meanwhile.
    if (head === undefined) continue;
    const text = toSearchText(id, isHead(head) ? head.title : '', log);
    made.set(id, { seq: isHead(head) && head.status === 'running' ? 0 : seq, text });
    await spend(text.length + log.length * 100);
  }
}

/** In pieces: a long log in one would hold the page up. */
async function readLog(transaction: Transaction<'readonly'>, sessionId: string): Promise<readonly SessionEvent[]> {
  const table = transaction.objectStore('events');
  const log: unknown[] = [];
  for (let range = keysOf(sessionId); ;) {
    const rows: readonly unknown[] = await table.getAll(range, rowsAtOnce);
    log.push(...rows);
    const last = rows.length < rowsAtOnce ? undefined : (await table.getAllKeys(range, rowsAtOnce)).at(-1);
    if (last === undefined) return toLog(log).events;
    range = keysAfter(sessionId, last[1]);
  }
}

function write(db: Database, keys: readonly RowKey[], made: ReadonlyMap<string, SearchText>): Promise<unknown> {
  return inTransaction(db, 'readwrite', (transaction) =>
    Promise.all(
      keys.map(async (key) => {
        // Of a removed session nothing may be left.
        const isThere = (await transaction.objectStore('sessions').count(key)) > 0;
        if (isThere && made.get(key[0])?.seq) await transaction.objectStore('texts').put(made.get(key[0]), key[0]);
      }),
    ),
  );
}

function isTextOf(row: unknown, seq: number): row is SearchText {
  return isJsonObject(row) && row.seq === seq && typeof row.text === 'string';
}
