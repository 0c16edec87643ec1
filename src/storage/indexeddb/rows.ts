import { isJsonObject } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { fits } from './fits.ts';

// The boundary between the disk and the types: another version, another script or a person may have written these rows.
// The checks are cheap, a few comparisons per row; imported files are checked in depth (files/event-shape.ts).

/** Whether a row can be shown in a list. */
export function isSummary(row: unknown): row is SessionSummary {
  return (
    isJsonObject(row) &&
    typeof row.id === 'string' &&
    typeof row.title === 'string' &&
    typeof row.createdAt === 'number' &&
    typeof row.updatedAt === 'number' &&
    typeof row.status === 'string' &&
    typeof row.messageCount === 'number' &&
    isJsonObject(row.usage) &&
    typeof row.seq === 'number'
  );
}

/** Returns the summary in a row. An unreadable row yields the values of its keys, so that its session can be listed, exported and removed. */
export function readSummary(row: unknown): SessionSummary {
  if (isSummary(row)) return row;
  const { id, seq, updatedAt } = isJsonObject(row) ? row : {};
  const time = Number(updatedAt) || 0;
  const usage = { input: 0, output: 0 };
  return {
    id: typeof id === 'string' ? id : '',
    title: '',
    createdAt: time,
    updatedAt: time,
    status: 'idle',
    messageCount: 0,
    usage,
    seq: Number(seq),
  };
}

/**
 * Returns the events in rows, in the order of `seq`. A row is one event or a list of settled events; the `seq` of an event
 * with a row of its own may lie between those of a list. `unread` has what cannot be read.
 *
 * @param after only events with a greater `seq`
 */
export function toLog(
  rows: readonly unknown[],
  after: number = -Infinity,
): { readonly events: readonly SessionEvent[]; readonly unread: readonly unknown[] } {
  const events: SessionEvent[] = [];
  const unread: unknown[] = [];
  for (const row of rows)
    for (const value of Array.isArray(row) && row.length > 0 ? row : [row])
      if (!isEvent(value)) unread.push(value);
      else if (value.seq > after) events.push(value);
  return { events: events.sort((a, b) => a.seq - b.seq), unread };
}

/** Whether the reducer and the views can take a row. Types of a newer version pass: they are kept, and the reducer skips them. */
function isEvent(row: unknown): row is SessionEvent {
  return (
    isJsonObject(row) &&
    typeof row.type === 'string' &&
    typeof row.seq === 'number' &&
    typeof row.at === 'number' &&
    typeof row.v === 'number' &&
    fits(row)
  );
}
