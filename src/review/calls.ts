import { defined, type Json, type JsonObject } from '../core/json.ts';
import type { CallOutcome, SessionEvent } from '../core/model/event.ts';
import { findCall } from '../core/model/find-call.ts';
import { fingerprintOf } from '../core/model/fingerprint.ts';
import type { DecidedBy, Part, ToolPart } from '../core/model/message.ts';
import { copiedCalls } from './copied.ts';
import type { Timeline } from './timeline.ts';
import type { Writable } from './writable.ts';

/** The decision on a call. */
export interface ReviewDecision {
  /** `seq` of `approval.decided`. */
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly verdict: 'approved' | 'rejected' | 'expired';
  readonly decidedBy: DecidedBy;
  readonly userName?: string;
  readonly reason?: string;
  /** The answer to a question of the tool. */
  readonly answer?: Json;
  /** The input as the user edited it. */
  readonly editedInput?: JsonObject;
  readonly remember?: 'session' | 'agent';
  /** ms for which the call waited for the decision; missing when nobody was asked. */
  readonly waited?: number;
  /** The call as the user saw it. Computed when read. */
  readonly seen: ToolPart | undefined;
  /** The fingerprint of the call as the user saw it: the decision applied to this call and no other. Computed when read. */
  readonly fingerprint: string | undefined;
}

/** One tool call with its decision and its result. */
export interface ReviewCall {
  readonly callId: string;
  readonly name: string;
  /** `seq` of `call.requested`; of a copied call, of the event that copied its message. */
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly inputText: string;
  /** `inputText` parsed; missing when it is not a JSON object. */
  readonly input?: JsonObject;
  readonly decision?: ReviewDecision;
  /** Number of times the tool was started. */
  readonly attempts: number;
  /** When the tool last started: ms since the epoch. */
  readonly startedAt?: number;
  /** Who ran the call, if it was not the page: see `ToolPart.server`. */
  readonly server?: string;
  /** ms since the epoch. */
  readonly endedAt?: number;
  /** ms that the last attempt took. */
  readonly duration?: number;
  readonly outcome?: CallOutcome;
  readonly output?: Json | readonly Part[];
  /** Whether the call is that of another log: of an imported file, or of the session of which this is a fork. */
  readonly isCopied?: boolean;
}

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
        if (call) Object.assign(call, { attempts: event.attempt, startedAt: at, ...defined({ server: event.server }) });
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
