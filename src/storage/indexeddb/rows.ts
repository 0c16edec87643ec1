import { isJsonObject } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionSummary } from '../../core/model/store.ts';

// The boundary between the disk and the types: another version, another script or a person may have written these rows.
// Cheap on purpose, a few comparisons a row; what comes in files is looked at in depth (files/event-shape.ts).

/** Whether a row can be shown in a list. */
export function isHead(row: unknown): row is SessionSummary {
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

/** Of a row that cannot be understood as much as its keys say, so that its session can be seen, exported and removed. */
export function readHead(row: unknown): SessionSummary {
  if (isHead(row)) return row;
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
 * The events in rows of one event, or of a list of settled ones, in the order of `seq`: one that was too big for a list may lie in the
 * midst of it. `unread`: how many cannot be understood.
 *
 * @param after only events with a greater `seq`
 */
export function toLog(
  rows: readonly unknown[],
  after: number = -Infinity,
): { readonly events: readonly SessionEvent[]; readonly unread: number } {
  const values = rows.flatMap((row): readonly unknown[] => (Array.isArray(row) && row.length > 0 ? row : [row]));
  const readable = values.filter(isEvent);
  return {
    events: readable.filter(({ seq }) => seq > after).sort((a, b) => a.seq - b.seq),
    unread: values.length - readable.length,
  };
}

/** Whether a row can be folded. Types of a newer version pass: they are kept, and skipped by who does not know them. */
function isEvent(row: unknown): row is SessionEvent {
  return (
    isJsonObject(row) &&
    typeof row.type === 'string' &&
    typeof row.seq === 'number' &&
    typeof row.at === 'number' &&
    typeof row.v === 'number'
  );
}
