import { isJsonObject } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { fits } from './fits.ts';

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

// As in rows.ts, the checks are cheap.

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
