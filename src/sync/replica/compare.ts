import { coalesce, firstSeq } from '../../core/model/coalesce.ts';
import { isDelta, type SessionEvent } from '../../core/model/event.ts';
import { withoutPosition } from '../../core/model/without-position.ts';

/**
 * Returns the `seq` up to which two logs have the same events, however their deltas are joined. Pure.
 *
 * @param from `seq` up to which both are known to be the same; the lists begin above it
 */
export function commonSeq(mine: readonly SessionEvent[], theirs: readonly SessionEvent[], from: number): number {
  const ours = coalesce(mine.map(withoutPlace));
  const others = coalesce(theirs.map(withoutPlace));
  let common = from;
  for (const [index, one] of ours.entries()) {
    const other = others[index];
    if (other === undefined) break;
    if (!isDelta(one) || !isDelta(other)) {
      if (JSON.stringify(one) !== JSON.stringify(other)) break;
      common = one.seq;
      continue;
    }
    if (!isSamePart(one, other) || !isBeginning(one.text, other.text)) break;
    // The numbers of pieces are those of the device that streamed them: up to the shorter text both sides have the same pieces.
    common = Math.min(one.seq, other.seq);
    if (one.seq !== other.seq) break;
  }
  return common;
}

/** Whether the first event of a list was joined with events up to `from`: then its text begins before the list. */
export function beginsBefore(events: readonly SessionEvent[], from: number): boolean {
  const [first] = events;
  return first !== undefined && firstSeq(first) <= from;
}

/** Returns the events that another list lacks, wherever it has them. */
export function missingIn(events: readonly SessionEvent[], there: readonly SessionEvent[]): readonly SessionEvent[] {
  const keyOf = (event: SessionEvent): string => JSON.stringify(withoutPosition(withoutOrigin(event)));
  const known = new Set(there.map(keyOf));
  return events.filter((event) => !known.has(keyOf(event)));
}

/** Returns events at the positions above `seq`, without gaps. */
export function renumbered(events: readonly SessionEvent[], seq: number): readonly SessionEvent[] {
  return events.map((event, index) => ({ ...event, seq: seq + 1 + index }));
}

const withoutPlace = (event: SessionEvent): SessionEvent => withoutCadence(withoutOrigin(event));

/** The origin of a message differs by device: what was written here is from another device there. */
function withoutOrigin(event: SessionEvent): SessionEvent {
  if (event.type === 'reply.started') {
    const { origin: _origin, ...rest } = event;
    return rest;
  }
  if (!('message' in event)) return event;
  const { origin: _origin, ...message } = event.message;
  return { ...event, message };
}

/** A text is written in pieces, and joined with its cadence when its run has ended. */
function withoutCadence(event: SessionEvent): SessionEvent {
  if (!isDelta(event) || event.cadence === undefined) return event;
  const { cadence: _cadence, ...rest } = event;
  return rest;
}

function isSamePart(one: SessionEvent, other: SessionEvent): boolean {
  return one.type === other.type && (!('callId' in one) || !('callId' in other) || one.callId === other.callId);
}

function isBeginning(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
