import { isJsonObject } from '../../../core/json.ts';
import type { SessionEvent } from '../../../core/model/event.ts';
import { keysAfter, keysOf } from '../keys.ts';
import { toLog } from '../to-log.ts';
import { inTransaction } from '../in-transaction.ts';
import type { Database, RowKey, Transaction } from '../schema.ts';

/** A session as it is stored: its row for lists, unchecked and `undefined` where there is none, and its log. */
export interface SessionLog {
  readonly id: string;
  readonly head: unknown;
  readonly log: readonly SessionEvent[];
}

/** The logs of sessions whose ids follow one another. */
export interface LogsInOrder {
  readonly logs: readonly SessionLog[];
  /** The id at which the next logs begin; `undefined` at the end. */
  readonly next: string | undefined;
}

/** Rows of a log that are read in one request: some ms. */
const rowsPerRequest = 250;

/** Returns the logs of some sessions. */
export function readLogs(db: Database, keys: readonly RowKey[]): Promise<readonly SessionLog[]> {
  return inTransaction(db, 'readonly', (transaction) =>
    Promise.all(
      keys.map(async (key) => {
        const [head, log] = await Promise.all([
          transaction.objectStore('sessions').get(key),
          readLog(transaction, key[0]),
        ]);
        return { id: key[0], head, log };
      }),
    ),
  );
}

/** Returns the logs from an id on, in the order of ids: three requests for all of them. */
export function readLogsInOrder(db: Database, from: string, rowCount: number): Promise<LogsInOrder> {
  return inTransaction(db, 'readonly', async (transaction) => {
    const table = transaction.objectStore('events');
    const range = IDBKeyRange.lowerBound([from]);
    const [keys, rows] = await Promise.all([table.getAllKeys(range, rowCount), table.getAll(range, rowCount)]);
    const rowsById = new Map<string, unknown[]>();
    for (const [index, [id]] of keys.entries()) {
      const own = rowsById.get(id);
      if (own) own.push(rows[index]);
      else rowsById.set(id, [rows[index]]);
    }
    const isEnd = keys.length < rowCount;
    const last = keys.at(-1)?.[0] ?? from;
    const isOneLog = rowsById.size === 1;
    // The last log may continue after the rows that were read.
    if (!isEnd && !isOneLog) rowsById.delete(last);
    const heads = await readHeads(transaction, IDBKeyRange.bound([keys[0]?.[0] ?? from], [last, []]));
    const logs = Array.from(rowsById, ([id, own]) => ({ id, head: heads.get(id), log: toLog(own).events }));
    if (isEnd) return { logs, next: undefined };
    if (!isOneLog) return { logs, next: last };
    const log = await readLog(transaction, last);
    return { logs: [{ id: last, head: heads.get(last), log }], next: `${last}\0` };
  });
}

async function readHeads(
  transaction: Transaction<'readonly'>,
  range: IDBKeyRange,
): Promise<ReadonlyMap<unknown, unknown>> {
  const rows = await transaction.objectStore('sessions').getAll(range);
  return new Map(rows.map((row) => [isJsonObject(row) ? row.id : undefined, row]));
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
