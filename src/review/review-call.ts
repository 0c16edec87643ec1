import type { Json, JsonObject } from '../core/json.ts';
import type { CallOutcome } from '../core/model/event.ts';
import type { DecidedBy, Part, ToolPart } from '../core/model/message.ts';

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
  /** ms for which the call waited for the decision; missing when no person was asked. */
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
  /** Id of the session that works on the call, where the tool is an agent: see `ToolPart.session`. Missing before the call starts. */
  readonly session?: string;
  /** ms since the epoch. */
  readonly endedAt?: number;
  /** ms that the last attempt took. */
  readonly duration?: number;
  readonly outcome?: CallOutcome;
  readonly output?: Json | readonly Part[];
  /** Whether the call is that of another log: of an imported file, or of the session of which this is a fork. */
  readonly isCopied?: boolean;
}
