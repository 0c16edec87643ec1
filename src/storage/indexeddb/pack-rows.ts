import { isJsonObject } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { keysOf } from './keys.ts';
import { toLog } from '../rows/to-log.ts';
import { cleanUp } from './clean-up.ts';
import type { SessionDisk } from './schema.ts';

/**
 * Characters of JSON in a packed row. Chromium keeps a value of more than 64 KB in a file, and delivers it in a third of the time that the
 * same events take in rows of 32,000 characters.
 */
const maxSize = 250_000;
/** Characters of JSON up to which a row is packed: what a write makes of a run (to-rows.ts), and no row that is packed already. */
const maxPacked = 32_000;
/** Rows that become one row: so few are not worth a write, and more would take more than some ms. */
const [fewestRows, mostRows] = [4, 256];

/**
 * Packs the settled rows of a session into few big ones, step by step. The events, their numbers and the fence stay the same. Only
 * rows that can be packed are read again.
 *
 * Invariant: no writer replaces an event of a run that has ended, or an earlier one, by a range of `seq`.
 *
 * @param log rows of the session as they were read, in order; attachments may have been put back into their events
 * @param idle resolves when the page has nothing else to do
 */
export async function packRows(
  disk: SessionDisk,
  sessionId: string,
  log: readonly unknown[],
  idle: () => Promise<void>,
): Promise<void> {
  await idle();
  const through = settledThrough(toLog(log).events);
  for (const rows of toSteps(log.filter((row) => seqOf(row) <= through))) {
    if (rows.length < fewestRows) continue;
    await idle();
    await packStep(disk, sessionId, rows);
  }
}

function seqOf(row: unknown): number {
  const [last] = Array.isArray(row) ? row.slice(-1) : [row];
  return isJsonObject(last) ? Number(last.seq) : NaN;
}

/** Returns rows that follow one another and fit into one row. */
function* toSteps(rows: readonly unknown[]): Generator<readonly unknown[], void> {
  let step: unknown[] = [];
  let size = 0;
  for (const row of rows) {
    const { length } = JSON.stringify(row);
    const isBig = length > maxPacked;
    if (isBig || step.length === mostRows || size + length > maxSize) {
      yield step;
      step = [];
      size = 0;
    }
    if (isBig) continue;
    step.push(row);
    size += length;
  }
  yield step;
}

/**
 * Replaces rows by one: puts it under the key of the last one, with a cover that names the others, which are deleted afterwards. Changes
 * nothing where the table has other rows in their place, or a row that cannot be read, or where something replaced is not deleted yet.
 */
async function packStep(disk: SessionDisk, sessionId: string, rows: readonly unknown[]): Promise<void> {
  const seqs = rows.map(seqOf);
  const range = keysOf(sessionId, seqs[0], seqs.at(-1));
  // Strict: the file of the packed row is on the disk before the other rows are removed.
  const isPacked = await disk.run(
    ['events', 'covers', 'fences'],
    'readwrite',
    async (transaction) => {
      const [events, covers] = [transaction.objectStore('events'), transaction.objectStore('covers')];
      const [values, fence, covered] = await Promise.all([
        events.getAll(range),
        transaction.objectStore('fences').index('id').getKey(sessionId),
        covers.count(keysOf(sessionId)),
      ]);
      const log = toLog(values);
      if (log.unread.length > 0 || String(values.map(seqOf)) !== String(seqs) || covered > 0 || !fence?.[1])
        return false;
      const [first, last] = [Number(seqs[0]), Number(seqs.at(-1))];
      const cover = { ranges: [[first, last]], rows: [last] } as const;
      await Promise.all([events.put(log.events, [sessionId, last]), covers.put(cover, [sessionId, fence[1]])]);
      return true;
    },
    'strict',
  );
  if (isPacked) await cleanUp(disk, sessionId);
}

/** Returns the `seq` up to which a log is settled: the writer of an open run may still replace what came after the last run. */
export function settledThrough(events: readonly SessionEvent[]): number {
  return events.findLast(({ type }) => type === 'run.ended')?.seq ?? 0;
}

/** Resolves when the browser is idle. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve()));
}
