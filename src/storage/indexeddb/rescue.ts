import { foldLog } from '../../core/model/fold.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { toSummary } from '../../core/model/summary.ts';
import { keysOf } from './keys.ts';
import { readLogRows } from './log-rows.ts';
import { rescueKey, type SessionDisk } from './schema.ts';
import { toLog } from '../rows/to-log.ts';
import { withMark } from '../rows/waiting-mark.ts';

// Up to version 4 a write replaced rows by deleting and adding them. A page that WebKit left at that moment lost the row of the list, the
// fence or both, and kept events. Such a session gets a row, so that a list shows it. Without a fence it is read as damaged, and can be forked,
// exported and removed.

/** Looks once after the upgrade for sessions that have events and no row. Resolves with their number. */
export async function rescue(disk: SessionDisk): Promise<number> {
  const isDue = await disk.run(['meta'], 'readonly', (transaction) => transaction.objectStore('meta').get(rescueKey));
  if (isDue === undefined) return 0;
  const ids = await orphans(disk);
  for (const id of ids) await addRow(disk, id);
  await disk.run(['meta'], 'readwrite', (transaction) => transaction.objectStore('meta').delete(rescueKey));
  return ids.length;
}

/** Returns the ids of sessions that have events, no row, and were not removed. */
function orphans(disk: SessionDisk): Promise<readonly string[]> {
  return disk.run(['events', 'list', 'fences'], 'readonly', async (transaction) => {
    const [listed, fenced] = await Promise.all([
      transaction.objectStore('list').getAllKeys(),
      transaction.objectStore('fences').index('id').getAllKeys(),
    ]);
    const removed = fenced.filter(([, seq]) => seq === 0).map(([id]) => id);
    const known = new Set([...listed, ...removed]);
    const ids: string[] = [];
    const events = transaction.objectStore('events');
    // One step for each session. Key order: `[]` comes after every number.
    for (let [key] = await events.getAllKeys(null, 1); key;) {
      const [id] = key;
      if (!known.has(id)) ids.push(id);
      [key] = await events.getAllKeys(IDBKeyRange.lowerBound([id, []], true), 1);
    }
    return ids;
  });
}

function addRow(disk: SessionDisk, id: string): Promise<void> {
  return disk.run(['events', 'covers', 'refs', 'list', 'fences'], 'readwrite', async (transaction) => {
    const [log, fence, row] = await Promise.all([
      readLogRows(transaction, id),
      transaction.objectStore('fences').index('id').getKey(id),
      transaction.objectStore('list').get(id),
    ]);
    // Another tab has written meanwhile.
    if (row !== undefined || fence?.[1] === 0 || log.rows.length === 0) return;
    const made = summaryOf(id, toLog(log.rows).events, fence?.[1]);
    await transaction.objectStore('list').put(withMark(made, made));
  });
}

/** Returns a row made of what is left of a log. */
function summaryOf(id: string, events: readonly SessionEvent[], fence: number | undefined): SessionSummary {
  const seq = fence ?? events.at(-1)?.seq ?? 1;
  const [createdAt, updatedAt] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  const bare: SessionSummary = {
    id,
    title: '',
    createdAt,
    updatedAt,
    status: 'idle',
    messageCount: 0,
    usage: { input: 0, output: 0 },
    seq,
  };
  try {
    return { ...bare, ...toSummary(foldLog(id, events)), id, createdAt, updatedAt, seq };
  } catch {
    // A log with gaps need not fold.
    return bare;
  }
}

/** Deletes the rows of `list` of version 4, which the upgrade has copied: a removed session leaves no title behind. */
export async function clearLegacyRows(disk: SessionDisk): Promise<void> {
  const left = await disk.run(['sessions'], 'readonly', (transaction) => transaction.objectStore('sessions').count());
  if (left === 0) return;
  await disk.run(['sessions', 'list'], 'readwrite', async (transaction) => {
    const legacy = transaction.objectStore('sessions');
    const keys = await legacy.getAllKeys();
    const copied = new Set(await transaction.objectStore('list').getAllKeys());
    // The row of a purged session is in neither place.
    const { length } = keys.filter(([id]) => copied.has(id));
    if (length === keys.length) await legacy.clear();
    else await Promise.all(keys.filter(([id]) => copied.has(id)).map(([id]) => legacy.delete(keysOf(id))));
  });
}
