import { isDelta, type SessionEvent } from '../../core/model/event.ts';

/** A range of `seq`, both included. */
type SeqRange = readonly [from: number, to: number];

/** Returns a range as text for an error message. */
export function rangeText([from, to]: SeqRange): string {
  return from === to ? `event ${from}` : `events ${from} to ${to}`;
}

/**
 * Returns which events are missing between `after` and the `seq` of the fence. Invariant: the numbers of a log have no gaps, and a
 * joined event names its first number (`since`). A log may begin at any number with `session.started`.
 */
export function lostEvents(events: readonly SessionEvent[], after: number, seq: number): readonly SeqRange[] {
  const lost: SeqRange[] = [];
  let last = Math.max(after, 0);
  for (const event of events) {
    const { since = event.seq } = event;
    if (since - last - 1 > tolerance(event) && event.type !== 'session.started') lost.push([last + 1, since - 1]);
    last = Math.max(last, event.seq);
  }
  if (last < seq) lost.push([last + 1, seq]);
  return lost;
}

/**
 * Returns how many numbers before an event may be missing. Earlier versions did not record from which number on a delta was
 * joined, or recorded the last number of its first piece: the piece has at least a character for each number.
 */
function tolerance(event: SessionEvent): number {
  if (!isDelta(event) || (event.since !== undefined && event.cadence === undefined)) return 0;
  return event.cadence?.[1] ?? event.text.length;
}
