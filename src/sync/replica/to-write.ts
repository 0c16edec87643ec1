import { defined } from '../../core/json.ts';
import { eventVersion, type SessionEvent } from '../../core/model/event.ts';
import { isUnderWay } from '../../core/model/status.ts';
import type { SessionSummary, SessionWrite, StoredSession } from '../../core/model/store.ts';
import type { Stamp } from './origin.ts';

/** A write that replaces what is stored. */
export const everything: NonNullable<SessionWrite['replaces']> = [[0, Number.MAX_SAFE_INTEGER]];

/** Returns the first event of a log. @param at ms since the epoch */
export function startedAt(sessionId: string, at: number): SessionEvent {
  return { type: 'session.started', sessionId, seq: 1, at, v: eventVersion };
}

/** Returns a write upon what a store has. The row states what the stamp does, whatever the given one states. */
export function toWrite(
  sessionId: string,
  events: readonly SessionEvent[],
  summary: SessionSummary,
  known: StoredSession | undefined,
  { writeId, origin }: Stamp,
): SessionWrite {
  const { origin: _origin, ...row } = summary;
  return {
    sessionId,
    events,
    summary: { ...row, id: sessionId, seq: events.at(-1)?.seq ?? summary.seq, ...defined({ origin }) },
    expectedSeq: known?.summary.seq ?? 0,
    ...defined({ expectedWriteId: known?.writeId }),
    writeId,
    durability: 'relaxed',
    ...(!isUnderWay(summary.status) && { phase: 'settled' as const }),
  };
}
