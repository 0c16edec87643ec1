import type { SessionEvent } from '../core/log/event.ts';
import type { SessionHead } from '../core/log/store.ts';
import { isJsonObject } from '../core/json.ts';

// The boundary between the disk and the types: another version, another script or a person may have written these rows.
// Cheap on purpose, a few comparisons a row; what comes in files is looked at in depth (jsonl.ts).

/** Whether a row can be shown in a list. */
export function isHead(row: unknown): row is SessionHead {
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

/** Whether a row can be folded. Types of a newer version pass: they are kept, and skipped by who does not know them. */
export function isEvent(row: unknown): row is SessionEvent {
  return (
    isJsonObject(row) &&
    typeof row.type === 'string' &&
    typeof row.seq === 'number' &&
    typeof row.at === 'number' &&
    typeof row.v === 'number'
  );
}

/** Whether this is what is left of a removed session. */
export function isRemoved(row: unknown): boolean {
  return isJsonObject(row) && row.seq === 0;
}
