import { isJsonObject } from '../../core/json.ts';
import { path } from '../../core/model/shapes/path-shape.ts';
import { waitingList } from '../../core/model/shapes/waiting-shape.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { withoutMark } from './waiting-mark.ts';

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

/** Whether a row stands for a removed session. */
export function isTombstone(row: unknown): boolean {
  return isJsonObject(row) && row.seq === 0;
}

/** Returns the summary in a row. An unreadable row yields the values of its keys, so that its session can be listed, exported and removed. */
export function readSummary(row: unknown): SessionSummary {
  if (isSummary(row)) return withoutMark(withCheckedOrigin(withCheckedWaiting(withCheckedPath(row))));
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

/** The calls that wait are shown, and not only counted: a list that does not fit is left out. */
function withCheckedWaiting(row: SessionSummary): SessionSummary {
  if (row.waiting === undefined || waitingList(row.waiting, '') === undefined) return row;
  const { waiting: _waiting, ...rest } = row;
  return rest;
}

/** A path that cannot be read is left out: the session is listed as one that no call has started. */
function withCheckedPath(row: SessionSummary): SessionSummary {
  if (row.path === undefined || path(row.path, '') === undefined) return row;
  const { path: _path, ...rest } = row;
  return rest;
}

/** An origin that cannot be read is left out. A kind of a newer version stays: the sync refuses it with a sentence. */
function withCheckedOrigin(row: SessionSummary): SessionSummary {
  if (row.origin === undefined || isOrigin(row.origin)) return row;
  const { origin: _origin, ...rest } = row;
  return rest;
}

function isOrigin(origin: unknown): boolean {
  if (!isJsonObject(origin) || typeof origin.writeId !== 'string') return false;
  return [origin.device, origin.kind, origin.of].every((field) => field === undefined || typeof field === 'string');
}
