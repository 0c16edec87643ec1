import { defined } from '../core/json.ts';
import type { SessionEvent } from '../core/model/event.ts';
import { findCall } from '../core/model/find-call.ts';
import { fingerprintOf } from '../core/model/fingerprint.ts';
import { copiedCalls } from './copied.ts';
import type { ReviewCall, ReviewDecision } from './review-call.ts';
import type { Timeline } from './timeline.ts';
import type { Writable } from './writable.ts';

/** Lists the tool calls of a log in one pass, in the order of the requests, with those of messages that came from another log. */
export function toCalls(events: readonly SessionEvent[], timeline: Timeline): readonly ReviewCall[] {
  const calls = new Map<string, Writable<ReviewCall>>();
  const asked = new Map<string, number>();
  for (const [before, event] of events.entries()) {
    if (event.type === 'message.added')
      for (const copy of copiedCalls(event)) if (!calls.has(copy.callId)) calls.set(copy.callId, copy);
    if (!('callId' in event)) continue;
    const { callId, seq, at } = event;
    const call = calls.get(callId);
    switch (event.type) {
      case 'call.requested': {
        const { name, inputText, input } = event;
        if (!call) calls.set(callId, { callId, name, seq, at, inputText, attempts: 0, ...defined({ input }) });
        break;
      }
      case 'approval.requested':
        asked.set(callId, at);
        break;
      case 'approval.decided':
        if (call) call.decision = toDecision(event, { before, askedAt: asked.get(callId), timeline });
        break;
      case 'call.started':
        if (call)
          Object.assign(call, {
            attempts: event.attempt,
            startedAt: at,
            ...defined({ server: event.server, session: event.session }),
          });
        break;
      case 'call.ended': {
        const { outcome, output } = event;
        const duration = call?.startedAt === undefined ? undefined : at - call.startedAt;
        if (call) Object.assign(call, { endedAt: at, outcome, ...defined({ output, duration }) });
        break;
      }
      default:
    }
  }
  return [...calls.values()];
}

interface Asked {
  /** Number of events before the decision. */
  readonly before: number;
  readonly askedAt: number | undefined;
  readonly timeline: Timeline;
}

function toDecision(
  event: Extract<SessionEvent, { readonly type: 'approval.decided' }>,
  { before, askedAt, timeline }: Asked,
): ReviewDecision {
  const { seq, at, callId, verdict, decidedBy, userName, reason, answer, input: editedInput, remember } = event;
  const waited = askedAt === undefined ? undefined : at - askedAt;
  return {
    seq,
    at,
    verdict,
    decidedBy,
    ...defined({ userName, reason, answer, editedInput, remember, waited }),
    get seen() {
      return findCall(timeline.stateAfter(before), callId)?.call;
    },
    get fingerprint() {
      return this.seen && fingerprintOf(this.seen);
    },
  };
}
