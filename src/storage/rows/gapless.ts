import type { SessionEvent } from '../../core/model/event.ts';

/**
 * Whether every number between `after` and the `seq` of the fence belongs to an event. A log without lost events may have gaps, too:
 * `lostEvents` looks closer.
 */
export function isGapless(events: readonly SessionEvent[], after: number, seq: number): boolean {
  let last = Math.min(Math.max(after, 0), seq);
  const isNext = (event: SessionEvent): boolean => {
    const { since = event.seq } = event;
    const hasGap = since - last > 1;
    last = event.seq;
    return !hasGap;
  };
  return events.every(isNext) && last === seq;
}
