import type { ErrorInfo } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ContextEvent } from './context-event.ts';
import type { MessageOrigin } from './message-origin.ts';
import type { RequestRecord, RunSettings, ToolSpec } from './settings.ts';
import type {
  ApprovalCause,
  DecidedBy,
  FinishReason,
  Message,
  Part,
  Proof,
  Proposal,
  Spending,
  ToolDetails,
  Usage,
  ZoneTokens,
} from './message.ts';

/** How a run ended. A run with any outcome but `completed` can be resumed. */
export type RunOutcome = 'completed' | 'cancelled' | 'limit' | 'failed' | 'interrupted';

/** How an approved call ended, or why the call never ran. */
export type CallOutcome = 'succeeded' | 'failed' | 'timed-out' | 'cancelled' | 'uncertain' | 'invalid';

/**
 * Why a call ended without a result of its tool. `cut-off`: the output limit cut its input off; `no-object`: its input is not a JSON object;
 * `schema`: its input does not fit the schema; `unknown-tool`: there is no tool of its name; `not-recorded`: the start could not be stored;
 * `tool-changed`: since a person approved the call; `needs-approval-now`: the tool asks since then; `timeout`: it took too long.
 */
export type CallEndReason =
  | 'cut-off'
  | 'no-object'
  | 'schema'
  | 'unknown-tool'
  | 'not-recorded'
  | 'tool-changed'
  | 'needs-approval-now'
  | 'timeout';

/** Which limit ended a run: its steps, tokens, time or money are used up, or its `stopWhen` returned `true`. */
export type RunLimit = 'steps' | 'tokens' | 'time' | 'money' | 'stopWhen';

/** A call whose tool is an agent: the session that works on the call has this place in its `path`. */
export interface CallPlace {
  readonly sessionId: string;
  readonly callId: string;
}

/** When a message that was sent during a run is admitted: `steer`, at the run's next step; `queue`, when the run has completed. */
export type QueueMode = 'steer' | 'queue';

/**
 * Times and lengths of the deltas that one event was joined from: `[ms since the previous delta, characters, …]`. A review replays the text
 * with these delays.
 */
export type Cadence = readonly number[];

/**
 * An event of a session without its position: records something that has happened, as plain JSON. Its content never changes; consecutive
 * deltas may be joined into one event (see `since`). Only events are stored.
 */
export type EventBody =
  | {
      readonly type: 'session.started';
      readonly sessionId: string;
      readonly title?: string;
      /** The calls that led to this session, that of the root first; missing for a session that no call has started. */
      readonly path?: readonly CallPlace[];
    }
  | { readonly type: 'session.renamed'; readonly title: string }
  /** The page's own data of the session; replaces the metadata before. */
  | { readonly type: 'metadata.changed'; readonly metadata: JsonObject }
  | { readonly type: 'session.cleared' }
  /** An event of type `of` contained a value that cannot be stored. The mark keeps its place. */
  | { readonly type: 'event.dropped'; readonly of: string }
  /**
   * The events before this one came in a file. Invariant: none of their calls can run, be decided or be continued from here on, and the
   * origin of their messages is the import.
   */
  | { readonly type: 'session.imported' }
  /**
   * The messages after `messageId` became an alternative because the user asked for a new answer. They return if the run produces none.
   */
  | { readonly type: 'session.rewound'; readonly messageId: string }
  /** The alternative that begins with this message is shown. The version before it becomes an alternative. */
  | { readonly type: 'alternative.selected'; readonly messageId: string }
  | {
      readonly type: 'message.added';
      readonly message: Message;
      /** Id of the message that was edited: that message and all after it became an alternative. */
      readonly supersedes?: string;
    }
  | { readonly type: 'message.updated'; readonly message: Message }
  /** A message left the conversation. Its text stays in earlier events of the log. */
  | { readonly type: 'message.removed'; readonly messageId: string }
  /** A message was sent during a run, or planned for later. `message.added` with the same id removes the message from the queue. */
  | {
      readonly type: 'message.queued';
      readonly message: Message;
      readonly mode: QueueMode;
      /** Settings of the run that answers the message. */
      readonly settings?: RunSettings;
      /** When the message is due: ms since the epoch. No run admits it while it has a time: see `Agent.schedule`. */
      readonly due?: number;
      /** Whether the message is left out where nothing has sent it in time. */
      readonly missed?: 'skip';
      /** Whether a planned message follows the run from now on. Without effect where it is planned no more. */
      readonly isDue?: true;
    }
  | { readonly type: 'message.unqueued'; readonly messageId: string }
  | {
      readonly type: 'run.started';
      readonly runId: string;
      /** Id of the run that this run resumes. */
      readonly resumes?: string;
      /** Whether the page resumed the run by itself after a cut (`autoResume`), without a person. */
      readonly isAutomatic?: boolean;
      /** Whether the run only compacts older messages. */
      readonly isCompaction?: boolean;
      readonly settings?: RunSettings;
      /** Of a run that resumes one after a limit: what the sessions of its open calls have used before. It does not count any more. */
      readonly carried?: Spending;
    }
  | {
      readonly type: 'run.ended';
      readonly runId: string;
      readonly outcome: RunOutcome;
      readonly error?: ErrorInfo;
      /** The limit, when `outcome` is `limit`. */
      readonly limit?: RunLimit;
      /** Id of the session whose budget is used up, where that is a session above this one. */
      readonly account?: string;
      /** What the sessions of the calls that this end has closed have used; missing for none. */
      readonly spent?: Spending;
    }
  /** The instructions and presets of the requests that follow. Content-addressed: written once, when they change. */
  | { readonly type: 'instructions.changed'; readonly contentId: string; readonly messages: readonly Message[] }
  /** The tools of the requests that follow, in their order. Content-addressed: written once, when they change. */
  | { readonly type: 'tools.changed'; readonly contentId: string; readonly tools: readonly ToolSpec[] }
  | {
      readonly type: 'reply.started';
      readonly messageId: string;
      /** Tokens of the request by zone; missing when tokens are not counted. */
      readonly context?: ZoneTokens;
      /** The inputs of the request; missing in logs of version 1. */
      readonly request?: RequestRecord;
      /** Of a reply that was not made here. */
      readonly origin?: MessageOrigin;
      /** The highest cost that the request may have, where money is limited: reserved until the reply has ended. */
      readonly reserved?: number;
    }
  /** The provider refused the request as too long. There is no reply. */
  | { readonly type: 'reply.refused'; readonly error: ErrorInfo }
  | { readonly type: 'text.delta'; readonly text: string; readonly cadence?: Cadence }
  | {
      readonly type: 'reasoning.delta';
      readonly text: string;
      /** Opaque data of the provider, such as a signature; closes the part. */
      readonly provider?: Json;
      readonly cadence?: Cadence;
      /** Time of the first delta that this event was joined from: ms since the epoch. */
      readonly startedAt?: number;
    }
  /** A piece of a call's input. The first delta of a call contains the name. */
  | {
      readonly type: 'call.delta';
      readonly callId: string;
      readonly name?: string;
      readonly text: string;
      readonly cadence?: Cadence;
    }
  /** A part that arrived as a whole: a source, an image, the record of something that ran at the provider. Never a tool call. */
  | { readonly type: 'part.added'; readonly part: Part }
  | {
      readonly type: 'call.requested';
      readonly callId: string;
      readonly name: string;
      readonly inputText: string;
      /** `inputText` parsed; missing when it is not a JSON object. */
      readonly input?: JsonObject;
      readonly provider?: Json;
    }
  | {
      readonly type: 'reply.ended';
      readonly finish: FinishReason;
      readonly raw?: string;
      readonly usage?: Usage;
      readonly model?: string;
      /** Cost of the reply, where money is limited. */
      readonly cost?: number;
    }
  /** The user has to decide. */
  | {
      readonly type: 'approval.requested';
      readonly callId: string;
      /** ms since the epoch, after which the call expires. */
      readonly expiresAt?: number;
      /** Version of the tool to which the approval will apply. */
      readonly toolVersion?: string;
      /** JSON Schema of the answer, when the call is an elicitation. */
      readonly elicitation?: JsonObject;
      /** Missing where the tool itself, or the elicitation, requires the decision. */
      readonly cause?: ApprovalCause;
    }
  | {
      readonly type: 'approval.decided';
      readonly callId: string;
      readonly verdict: 'approved' | 'rejected' | 'expired';
      readonly decidedBy: DecidedBy;
      /** The input as the user edited it. */
      readonly input?: JsonObject;
      readonly reason?: string;
      /** The page's own text that the model reads as the result of a rejected call. */
      readonly rejectionText?: string;
      /** The user's answer to an elicitation. */
      readonly answer?: Json;
      /** Version of the tool that an approval rule has approved. */
      readonly toolVersion?: string;
      /** The user's name; missing when the page passed none. */
      readonly userName?: string;
      /** Whether the decision becomes an approval rule, for this session or for all sessions of the agent. */
      readonly remember?: 'session' | 'agent';
      readonly proof?: Proof;
    }
  /** The user has decided in a page that leaves the call to the page that runs the session. */
  | {
      readonly type: 'approval.proposed';
      readonly callId: string;
      readonly proposal: Proposal;
      readonly proof?: Proof;
    }
  | { readonly type: 'rule.revoked'; readonly name: string }
  | {
      readonly type: 'call.started';
      readonly callId: string;
      readonly attempt: number;
      /** Who runs the call, if it is not this page: see `ToolPart.server`. */
      readonly server?: string;
      /** Id of the session that works on the call: see `ToolPart.session`. */
      readonly session?: string;
    }
  /** Progress of a running call. The only transient event: subscribers receive it, no store contains it. */
  | { readonly type: 'call.progress'; readonly callId: string; readonly progress: Json }
  | {
      readonly type: 'call.ended';
      readonly callId: string;
      readonly outcome: CallOutcome;
      /** Why there is no result of the tool: `output` is a sentence for the model then. Missing in logs before this field. */
      readonly reason?: CallEndReason;
      /** ms that the tool was allowed, for the reason `timeout`. */
      readonly timeout?: number;
      readonly output?: Json | readonly Part[];
      readonly summary?: string;
      readonly details?: ToolDetails;
      /** Whether the result asks for another request to the model; missing when the tool's `followUp` decides. */
      readonly requiresFollowUp?: boolean;
      /** Name of the agent that has the conversation from here on: see `ToolPart.handoff`. */
      readonly handoff?: string;
      /** What the session of the call, and all below it, have used. */
      readonly spent?: Spending;
      /** When a user last decided on a call of these sessions: ms since the epoch. */
      readonly decidedAt?: number;
    }
  | ContextEvent;

/** An event of the log: its content, its position and its time. */
export type SessionEvent = EventBody & {
  /** Position in the log, increasing. A joined event has the `seq` of its last delta. A transient event repeats the `seq` before it. */
  readonly seq: number;
  /** ms since the epoch */
  readonly at: number;
  /** Version of the event's shape. */
  readonly v: typeof eventVersion;
  /** `seq` of the first of the events that this event was joined from: the numbers of a log have no gaps. */
  readonly since?: number;
};

/** Version 2 has standard names and records the inputs of each request; `upcast.ts` converts version 1. */
export const eventVersion = 2;

export type DeltaEvent = Extract<SessionEvent, { readonly type: 'text.delta' | 'reasoning.delta' | 'call.delta' }>;

/** Whether an event is only for subscribers, not for the log. */
export function isTransient({ type }: EventBody): boolean {
  return type === 'call.progress';
}

/** Whether an event is a piece of a part that still grows. All other events add, remove or replace messages, parts, calls or runs. */
export function isDelta(event: SessionEvent): event is DeltaEvent {
  return event.type === 'text.delta' || event.type === 'reasoning.delta' || event.type === 'call.delta';
}
