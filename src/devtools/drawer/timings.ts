import type { SessionEvent } from '../../core/model/event.ts';
import { toPieces } from '../../review/cadence.ts';
import type { ReviewStep } from '../../review/steps.ts';

/** When the answer to a request came. */
interface StepTimes {
  /** ms until the first piece of the answer; missing without one. */
  readonly first?: number;
  /** ms until the end of the answer; missing while it streams. */
  readonly whole?: number;
}

/** Returns the times of a step, counted from the moment when the request was sent. */
export type TimesOf = (step: ReviewStep) => StepTimes;

/**
 * Returns a function that reads the times in a log that grows. Each call looks at the new events only; at all of them after the log was
 * rewritten at the end of a run.
 */
export function createTimings(): (events: readonly SessionEvent[]) => TimesOf {
  /** When the first piece of each answer came, in ms since the epoch, by the `seq` of the request. */
  let firsts = new Map<number, number>();
  /** `seq` of the request whose answer has not begun. */
  let open: number | undefined;
  let count = 0;
  let lastSeq: number | undefined;

  function look(event: SessionEvent): void {
    switch (event.type) {
      case 'reply.started':
        open = event.seq;
        break;
      case 'text.delta':
      case 'reasoning.delta':
      case 'call.delta':
      case 'call.requested':
      case 'part.added':
        if (open !== undefined) firsts.set(open, (toPieces(event)[0] ?? event).at);
        open = undefined;
        break;
      case 'reply.ended':
      case 'reply.refused':
      case 'run.started':
      case 'run.ended':
        open = undefined;
        break;
      default:
    }
  }

  function timesOf({ seq, at, endedAt }: ReviewStep): StepTimes {
    const first = firsts.get(seq);
    return {
      ...(first !== undefined && { first: first - at }),
      ...(endedAt !== undefined && { whole: endedAt - at }),
    };
  }

  return (events) => {
    // Invariant: a log is only rewritten by joining events, so that the same `seq` at the same place follows the same events.
    if (events[count - 1]?.seq !== lastSeq) {
      firsts = new Map();
      open = undefined;
      count = 0;
    }
    for (const event of events.slice(count)) look(event);
    count = events.length;
    lastSeq = events.at(-1)?.seq;
    return timesOf;
  };
}
