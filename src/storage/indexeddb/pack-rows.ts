import { isJsonObject } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { keysOf } from './keys.ts';
import { toLog } from './to-log.ts';
import type { Database } from './schema.ts';
import { type EventRow, toRows } from './to-rows.ts';

/** Rows that are packed in one transaction: some ms. */
const rowsPerStep = 256;
/** Characters of JSON: a bigger event keeps its row, so that nothing big is written twice. */
const maxPacked = 1_024;

/**
 * Packs the settled rows of a session into as few as possible, step by step. The events, their numbers and the fence stay the same. Only
 * rows that can be packed are read again.
 *
 * Invariant: no writer replaces an event of a run that has ended, or an earlier one, by a range of `seq`.
 *
 * @param log rows of the session as they were read, in order
 * @param idle resolves when the page has nothing else to do
 */
export async function packRows(
  db: Database,
  sessionId: string,
  log: readonly unknown[],
  idle: () => Promise<void>,
): Promise<void> {
  const through = settledThrough(toLog(log).events);
  const settled = log.filter((row) => seqOf(row) <= through);
  for (let from = 0; from < settled.length; from += rowsPerStep) {
    await idle();
    const rows = settled.slice(from, from + rowsPerStep);
    if (plan(rows) !== undefined) await packStep(db, sessionId, seqOf(rows[0]), seqOf(rows.at(-1)));
  }
}

function seqOf(row: unknown): number {
  const [last] = Array.isArray(row) ? row.slice(-1) : [row];
  return isJsonObject(last) ? Number(last.seq) : NaN;
}

/** Packs the rows from one `seq` to another, both included. */
async function packStep(db: Database, sessionId: string, from: number, through: number): Promise<void> {
  const transaction = db.transaction('events', 'readwrite', { durability: 'relaxed' });
  const table = transaction.objectStore('events');
  const range = keysOf(sessionId, from, through);
  const [keys, values] = await Promise.all([table.getAllKeys(range), table.getAll(range)]);
  const rows = plan(values);
  if (rows !== undefined) {
    const moved = keys.filter((_key, index) => isSmall(values[index]));
    await Promise.all([
      ...moved.map((key) => table.delete(key)),
      ...rows.map(({ seq, value }) => table.add(value, [sessionId, seq])),
    ]);
  }
  await transaction.done;
}

/** Returns the rows that replace the small ones among these rows; `undefined` where that is not worthwhile, or a row cannot be read. */
function plan(rows: readonly unknown[]): readonly EventRow[] | undefined {
  const small = rows.filter(isSmall);
  const { events, unread } = toLog(small);
  const packed = [...toRows(events, events)];
  return unread.length === 0 && packed.length * 2 <= small.length ? packed : undefined;
}

/** Whether a row may be packed with others. */
function isSmall(row: unknown): boolean {
  return Array.isArray(row) || JSON.stringify(row).length <= maxPacked;
}

/** Returns the `seq` up to which a log is settled: the writer of an open run may still replace what came after the last run. */
export function settledThrough(events: readonly SessionEvent[]): number {
  return events.findLast(({ type }) => type === 'run.ended')?.seq ?? 0;
}

/** Resolves when the browser is idle. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve()));
}
