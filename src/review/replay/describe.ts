import { messageOf } from '../../core/error.ts';
import { isDelta, type SessionEvent } from '../../core/model/event.ts';
import { describeDifferences } from './differences.ts';
import { factOf } from './event-content.ts';
import { type ReplayDifference, ReplayError } from './replay-error.ts';

/** The place of a difference. */
interface Place {
  /** The recorded event that is next; `undefined` at the end of the log. */
  readonly recorded: SessionEvent | undefined;
  /** Number of requests so far. */
  readonly step: number;
}

/** Returns the error for an event that the log does not have here. */
export function describeMismatch({ recorded, step }: Place, replayed: SessionEvent): ReplayError {
  const what = whatOf(recorded ?? replayed);
  const diff =
    recorded?.type === replayed.type
      ? describeDifferences(contentOf(recorded), contentOf(replayed))
      : `- ${recorded ? excerptOf(recorded) : 'the end of the log'}\n+ ${excerptOf(replayed)}`;
  return new ReplayError(`The ${what} differs from the log ${placeOf({ recorded, step })}.\n${diff}`, {
    what,
    seq: recorded?.seq,
    step,
    recorded,
    replayed,
  });
}

/** Returns the error for a verb that the replayed session refuses. */
export function describeRefusal({ recorded, step }: Place, cause: unknown): ReplayError {
  const what = whatOf(recorded);
  const message = `The session refuses what was done ${placeOf({ recorded, step })}, ${recorded?.type}: ${messageOf(cause)}`;
  return new ReplayError(message, { what, seq: recorded?.seq, step, recorded, cause });
}

/** Returns the error for a session that does not continue. */
export function describeStandstill({ recorded, step }: Place, status: string): ReplayError {
  const what = whatOf(recorded);
  const event = recorded && excerptOf(recorded);
  const message = `The session does not continue ${placeOf({ recorded, step })}.\n- ${event}\n+ nothing: the session is ${status}`;
  return new ReplayError(message, { what, seq: recorded?.seq, step, recorded });
}

/** Returns what is compared of an event: of a delta its text, since a recorded delta was joined from several. */
function contentOf(event: SessionEvent): object {
  return isDelta(event) ? { text: event.text } : factOf(event);
}

/** Returns the beginning of what an event says. */
function excerptOf(event: SessionEvent): string {
  return JSON.stringify(factOf(event)).slice(0, 400);
}

function placeOf({ recorded, step }: Place): string {
  return `${recorded ? `at seq ${recorded.seq}` : 'behind its end'}, ${step === 0 ? 'before the first request' : `after request ${step}`}`;
}

function whatOf(event: SessionEvent | undefined): ReplayDifference {
  switch (event?.type) {
    case 'call.delta':
    case 'call.requested':
    case 'approval.requested':
    case 'approval.decided':
    case 'approval.proposed':
    case 'call.started':
    case 'call.progress':
    case 'call.ended':
      return 'call';
    case 'reply.started':
    case 'instructions.changed':
    case 'tools.changed':
      return 'request';
    case 'message.pinned':
    case 'message.added':
    case 'message.updated':
    case 'message.removed':
    case 'message.queued':
    case 'message.unqueued':
    case 'reply.refused':
    case 'text.delta':
    case 'reasoning.delta':
    case 'part.added':
    case 'reply.ended':
      return 'message';
    case 'context.compacted':
    case 'context.compaction-failed':
    case 'context.restored':
    case 'session.started':
    case 'session.renamed':
    case 'metadata.changed':
    case 'session.cleared':
    case 'event.dropped':
    case 'session.imported':
    case 'session.rewound':
    case 'alternative.selected':
    case 'run.started':
    case 'run.ended':
    case 'rule.revoked':
    case undefined:
      return 'event';
  }
}
