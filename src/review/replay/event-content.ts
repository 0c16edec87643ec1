import { isJsonObject } from '../../core/json.ts';
import type { DeltaEvent, EventBody, SessionEvent } from '../../core/model/event.ts';
import { hasSameFields } from './differences.ts';
import type { Recorded } from './facts.ts';

/** Returns the ids that an event may introduce. */
export function idsOf(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case 'message.added':
    case 'message.queued':
      return [event.message.id];
    case 'run.started':
      return [event.runId];
    case 'reply.started':
      return [event.messageId];
    case 'call.delta':
    case 'call.requested':
      return [event.callId];
    case 'context.compacted':
      return [event.compactionId];
    default:
      return [];
  }
}

/** Whether two deltas belong to the same part. */
export function isSamePart(one: DeltaEvent, other: DeltaEvent): boolean {
  if (one.type !== 'call.delta' || other.type !== 'call.delta') return one.type === other.type;
  return one.callId === other.callId && (other.name === undefined || other.name === one.name);
}

export function providerOf(delta: DeltaEvent): unknown {
  return delta.type === 'reasoning.delta' ? delta.provider : undefined;
}

export function isCompaction(
  event: SessionEvent | undefined,
): event is Recorded<'context.compacted' | 'context.compaction-failed'> {
  return event?.type === 'context.compacted' || event?.type === 'context.compaction-failed';
}

const placeFields = ['seq', 'at', 'v'] satisfies readonly (keyof SessionEvent)[];

function isSameContent(one: object, other: object): boolean {
  return isJsonObject(one) && isJsonObject(other) && hasSameFields(one, other, placeFields);
}

/** Returns what an event says, without its place in the log: to compare it, or to append it again. */
export function factOf(event: SessionEvent): EventBody {
  const { seq: _seq, at: _at, v: _v, ...fact } = event;
  return fact;
}

/** ms by which the clock may advance between the reading for a deadline and the event. */
const slack = 1_000;

/** Whether two events say the same. */
export function isSameFact(one: SessionEvent, other: SessionEvent): boolean {
  if (one.type !== other.type) return false;
  if (one.type === 'approval.requested' && other.type === 'approval.requested') {
    const { expiresAt: before = 0, ...recorded } = one;
    const { expiresAt: after = 0, ...replayed } = other;
    return Math.abs(before - after) <= slack && isSameContent(recorded, replayed);
  }
  if (one.type === 'call.ended' && other.type === 'call.ended' && other.reason !== undefined) {
    // The sentence is made from the reason, and versions may write it otherwise. Logs before the field have the outcome only.
    const { output: _recorded, reason: recorded, timeout: _allowed, ...before } = one;
    const { output: _replayed, reason, timeout: _timeout, ...after } = other;
    return (recorded === undefined || recorded === reason) && isSameContent(before, after);
  }
  return isSameContent(one, other);
}
