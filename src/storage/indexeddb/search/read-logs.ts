import { isJsonObject } from '../../../core/json.ts';
import type { SessionEvent } from '../../../core/model/event.ts';
import { type Cover, type Covers, rowFilter } from '../covers.ts';
import { type RowKey, keysAfter, keysOf, toFenceKey } from '../keys.ts';
import { readCovers } from '../log-rows.ts';
import { toLog } from '../../rows/to-log.ts';
import type { SessionDisk, Transaction } from '../schema.ts';

/** A session as it is stored: the `seq` of its fence, its row for lists, unchecked and `undefined` where there is none, and its log. */
export interface SessionLog {
  readonly id: string;
  readonly seq: number;
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

const tables = ['list', 'fences', 'events', 'covers'] as const;

/** Returns the logs of some sessions. */
export function readLogs(disk: SessionDisk, keys: readonly RowKey[]): Promise<readonly SessionLog[]> {
  return disk.run(tables, 'readonly', (transaction) =>
    Promise.all(keys.map(async ([id]) => toSessionLog(transaction, id, await readRows(transaction, id)))),
  );
}

/** Returns the logs from an id on, in the order of ids: few requests for all of them. */
export function readLogsInOrder(disk: SessionDisk, from: string, rowCount: number): Promise<LogsInOrder> {
  return disk.run(tables, 'readonly', async (transaction) => {
    const table = transaction.objectStore('events');
    const range = IDBKeyRange.lowerBound([from]);
    const [keys, rows] = await Promise.all([table.getAllKeys(range, rowCount), table.getAll(range, rowCount)]);
    const rowsById = new Map<string, { readonly key: RowKey; readonly row: unknown }[]>();
    for (const [index, key] of keys.entries()) {
      const own = rowsById.get(key[0]) ?? [];
      rowsById.set(key[0], own);
      own.push({ key, row: rows[index] });
    }
    const isEnd = keys.length < rowCount;
    const last = keys.at(-1)?.[0] ?? from;
    const isOneLog = rowsById.size === 1;
    // The last log may continue after the rows that were read.
    if (!isEnd && !isOneLog) rowsById.delete(last);
    if (!isEnd && isOneLog) {
      const whole = await toSessionLog(transaction, last, await readRows(transaction, last));
      return { logs: [whole], next: `${last}\0` };
    }
    const ids = Array.from(rowsById.keys());
    const [heads, seqs, covers] = await readRange(transaction, ids[0] ?? from, ids.at(-1) ?? from);
    const logs = Array.from(rowsById, ([id, own]) => {
      const counts = rowFilter(covers.get(id) ?? []);
      const counted = own.filter(({ key }) => counts(key)).map(({ row }) => row);
      return { id, seq: seqs.get(id) ?? 0, head: heads.get(id), log: toLog(counted).events };
    });
    return { logs, next: isEnd ? undefined : last };
  });
}

/** Returns what is stored of sessions beside their logs, by id. */
async function readRange(
  transaction: Transaction<'readonly'>,
  first: string,
  last: string,
): Promise<
  readonly [
    heads: ReadonlyMap<unknown, unknown>,
    seqs: ReadonlyMap<string, number>,
    covers: ReadonlyMap<string, Covers>,
  ]
> {
  const range = IDBKeyRange.bound(first, last);
  const ofLogs = IDBKeyRange.bound([first], [last, []]);
  const table = transaction.objectStore('covers');
  const [heads, fences, coverKeys, coverRows] = await Promise.all([
    transaction.objectStore('list').getAll(range),
    transaction.objectStore('fences').index('id').getAllKeys(range),
    table.getAllKeys(ofLogs),
    table.getAll(ofLogs),
  ]);
  const covers = new Map<string, Cover[]>();
  for (const [index, [id]] of coverKeys.entries()) {
    const cover = coverRows[index];
    if (cover) covers.set(id, [...(covers.get(id) ?? []), cover]);
  }
  return [
    new Map(heads.map((row) => [isJsonObject(row) ? row.id : undefined, row])),
    new Map(fences.map(([id, seq]) => [id, seq])),
    covers,
  ];
}

async function toSessionLog(
  transaction: Transaction<'readonly'>,
  id: string,
  rows: readonly unknown[],
): Promise<SessionLog> {
  const [head, fence] = await Promise.all([
    transaction.objectStore('list').get(id),
    transaction.objectStore('fences').index('id').getKey(id),
  ]);
  return { id, seq: toFenceKey(fence)[1], head, log: toLog(rows).events };
}

/** Reads the rows of a log that count in several requests: a long log in one request would block the page. */
async function readRows(transaction: Transaction<'readonly'>, sessionId: string): Promise<readonly unknown[]> {
  const table = transaction.objectStore('events');
  const covers = await readCovers(transaction, sessionId);
  const counts = rowFilter(covers);
  const log: unknown[] = [];
  for (let range = keysOf(sessionId); ;) {
    const rows: readonly unknown[] = await table.getAll(range, rowsPerRequest);
    const isEnd = rows.length < rowsPerRequest;
    const keys = isEnd && covers.length === 0 ? [] : await table.getAllKeys(range, rowsPerRequest);
    log.push(...rows.filter((_row, index) => counts(keys[index] ?? [sessionId, -1])));
    const last = isEnd ? undefined : keys.at(-1);
    if (last === undefined) return log;
    range = keysAfter(sessionId, last[1]);
  }
}
