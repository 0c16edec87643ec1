import type { ErrorInfo } from '../core/error.ts';
import type { CallOutcome, SessionEvent } from '../core/model/event.ts';
import type { ReviewCall } from './review-call.ts';
import { copiedCalls } from './copied.ts';
import { outputText } from './output-text.ts';

/** Something that failed. */
export interface ReviewError {
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly of: 'run' | 'request' | 'call' | 'compaction' | 'log';
  readonly message: string;
  /** The error of a run, a request or a compaction. */
  readonly error?: ErrorInfo;
  readonly callId?: string;
  /** How the call failed. */
  readonly outcome?: CallOutcome;
}

/** Lists what failed, in the order of the log. */
export function toErrors(events: readonly SessionEvent[]): readonly ReviewError[] {
  return events.flatMap((event): readonly ReviewError[] => {
    const { seq, at } = event;
    switch (event.type) {
      case 'run.ended':
        return event.error ? [{ seq, at, of: 'run', message: event.error.message, error: event.error }] : [];
      case 'reply.refused':
        return [{ seq, at, of: 'request', message: event.error.message, error: event.error }];
      case 'context.compaction-failed':
        return [{ seq, at, of: 'compaction', message: event.error.message, error: event.error }];
      case 'event.dropped':
        return [{ seq, at, of: 'log', message: `An event of type ${event.of} could not be stored.` }];
      case 'call.ended': {
        const { callId, outcome } = event;
        if (outcome === 'succeeded' || outcome === 'cancelled') return [];
        return [failure(seq, at, { callId, outcome, output: event.output })];
      }
      case 'message.added':
        return copiedCalls(event).flatMap(({ callId, outcome, output }) =>
          outcome === undefined || outcome === 'succeeded' || outcome === 'cancelled'
            ? []
            : [failure(seq, at, { callId, outcome, output })],
        );
      default:
        return [];
    }
  });
}

interface FailedCall {
  readonly callId: string;
  readonly outcome: CallOutcome;
  readonly output: ReviewCall['output'];
}

function failure(seq: number, at: number, { callId, outcome, output }: FailedCall): ReviewError {
  return { seq, at, of: 'call', message: outputText(output) || `The call ended as ${outcome}.`, callId, outcome };
}
