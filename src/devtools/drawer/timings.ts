import type { SessionEvent } from '../../core/model/event.ts';
import { toPieces } from '../../review/cadence.ts';
import type { ReviewStep } from '../../review/steps.ts';

/** When the answer to a request came. */
export interface StepTimes {
  /** ms until the first piece of the answer; missing without one. */
  readonly first?: number;
  /** ms until the end of the answer; missing while it streams. */
  readonly whole?: number;
}

/** Types of the events that are pieces of an answer. */
const pieces = new Set<SessionEvent['type']>([
  'text.delta',
  'reasoning.delta',
  'call.delta',
  'call.requested',
  'part.added',
]);

/** Returns the times of a step, counted from the moment when the request was sent. */
export function timesOf(
  { seq, endSeq = Infinity, at, endedAt }: ReviewStep,
  events: readonly SessionEvent[],
): StepTimes {
  const first = events.find((event) => event.seq > seq && event.seq <= endSeq && pieces.has(event.type));
  const firstAt = first && (toPieces(first)[0] ?? first).at;
  return {
    ...(firstAt !== undefined && { first: firstAt - at }),
    ...(endedAt !== undefined && { whole: endedAt - at }),
  };
}
