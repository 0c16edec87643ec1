import type { ErrorInfo } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import type { RequestRecord, RunSettings, ToolSpec } from './settings.ts';
import type { DecidedBy, FinishReason, Message, Part, ToolDetails, Usage, ZoneTokens } from './message.ts';

/** How a run ended. Everything but `completed` can be taken up again. */
export type RunOutcome = 'completed' | 'cancelled' | 'limit' | 'failed' | 'interrupted';

/** How a call that was let through ended, or why it never ran. */
export type CallOutcome = 'succeeded' | 'failed' | 'timed-out' | 'cancelled' | 'uncertain' | 'invalid';

/** What a run was allowed, and has used up: steps, tokens, time; or its `stopWhen` said so. */
export type RunLimit = 'steps' | 'tokens' | 'time' | 'stopWhen';

/** When a message that came during a run gets its turn: at the run's next step, or when the run is over. */
export type QueueMode = 'steer' | 'queue';

/** Why older messages were folded: the next request would have been too long, the provider said that it was, or a person asked for it. */
export type CompactionCause = 'trigger' | 'overflow' | 'user';

/** What happens to what the model sees of a conversation; what people see does not change by it. */
export type ContextEvent =
  /** Messages up to `through` are out of the model's sight: `summary` stands for them. Tool outputs up to `pruned` are left out. */
  | {
      readonly type: 'context.compacted';
      readonly compactionId: string;
      readonly cause: CompactionCause;
      /** Name of the strategy that wrote `summary`; `prune` where only outputs were left out. */
      readonly strategy: string;
      /** Id of a message, as is `pruned`. */
      readonly through?: string;
      readonly pruned?: string;
      readonly summary?: string;
      /** Of the next request, estimated. */
      readonly tokens: { readonly before: number; readonly after: number };
      readonly usage?: Usage;
      /** The model that wrote it, as the provider named it. */
      readonly model?: string;
    }
  /** Nothing has changed. */
  | {
      readonly type: 'context.compaction-failed';
      readonly cause: CompactionCause;
      readonly error: ErrorInfo;
      readonly usage?: Usage;
      readonly model?: string;
    }
  /** A compaction was undone, and with it those after it. */
  | { readonly type: 'context.restored'; readonly compactionId: string }
  /** The message is never folded, or may be again. */
  | { readonly type: 'message.pinned'; readonly messageId: string; readonly pinned: boolean };

/** Text as it came: `[ms since the one before, characters, …]`, so that a review can play it at its own pace. */
export type Cadence = readonly number[];

/** What can happen in a session: facts, in the past tense, plain JSON, never edited. The only thing that is stored. */
export type EventBody =
  | { readonly type: 'session.started'; readonly sessionId: string; readonly title?: string }
  | { readonly type: 'session.renamed'; readonly title: string }
  | { readonly type: 'session.cleared' }
  /** Everything after the message left the view, to be answered anew. */
  | { readonly type: 'session.rewound'; readonly messageId: string }
  | { readonly type: 'message.added'; readonly message: Message }
  | { readonly type: 'message.updated'; readonly message: Message }
  /** Said while a run went on. `message.added` with the same id takes it out of the queue. */
  | {
      readonly type: 'message.queued';
      readonly message: Message;
      readonly mode: QueueMode;
      /** Of the run that answers the message. */
      readonly settings?: RunSettings;
    }
  | { readonly type: 'message.unqueued'; readonly messageId: string }
  /** `resumes`: the run that this one goes on with. */
  | {
      readonly type: 'run.started';
      readonly runId: string;
      readonly resumes?: string;
      /** It folds older messages and asks nothing. */
      readonly isCompaction?: boolean;
      readonly settings?: RunSettings;
    }
  | {
      readonly type: 'run.ended';
      readonly runId: string;
      readonly outcome: RunOutcome;
      readonly error?: ErrorInfo;
      /** Which one, where `outcome` is `limit`. */
      readonly limit?: RunLimit;
    }
  /** The instructions and presets of the requests that follow. Content-addressed: written once, when they change. */
  | { readonly type: 'instructions.changed'; readonly contentId: string; readonly messages: readonly Message[] }
  /** The tools of the requests that follow, in their order. Content-addressed: written once, when they change. */
  | { readonly type: 'tools.changed'; readonly contentId: string; readonly tools: readonly ToolSpec[] }
  | {
      readonly type: 'reply.started';
      readonly messageId: string;
      /** Tokens of the request by zone; missing where the tokens are not counted. */
      readonly context?: ZoneTokens;
      /** What the request was made of; missing in logs of version 1. */
      readonly request?: RequestRecord;
    }
  /** The provider would not take the request: it was too long. There is no reply. */
  | { readonly type: 'reply.refused'; readonly error: ErrorInfo }
  | { readonly type: 'text.delta'; readonly text: string; readonly cadence?: Cadence }
  /** `began`: when the first of the pieces came that it was made of, ms since the epoch. */
  | {
      readonly type: 'reasoning.delta';
      readonly text: string;
      readonly provider?: Json;
      readonly cadence?: Cadence;
      readonly startedAt?: number;
    }
  /** The first of a call brings its name. */
  | {
      readonly type: 'call.delta';
      readonly callId: string;
      readonly name?: string;
      readonly text: string;
      readonly cadence?: Cadence;
    }
  /** A part that came whole: a source, an image, something that ran at the provider. */
  | { readonly type: 'part.added'; readonly part: Part }
  | {
      readonly type: 'call.requested';
      readonly callId: string;
      readonly name: string;
      readonly inputText: string;
      /** Missing where `inputText` is not a JSON object. */
      readonly input?: JsonObject;
      readonly provider?: Json;
    }
  | {
      readonly type: 'reply.ended';
      readonly finish: FinishReason;
      readonly raw?: string;
      readonly usage?: Usage;
      readonly model?: string;
    }
  /** A person has to decide. */
  | {
      readonly type: 'approval.requested';
      readonly callId: string;
      /** ms since the epoch */
      readonly expiresAt?: number;
      /** Which version of the tool it is about. */
      readonly toolVersion?: string;
      /** A question: JSON Schema of the answer that is wanted. */
      readonly elicitation?: JsonObject;
    }
  | {
      readonly type: 'approval.decided';
      readonly callId: string;
      readonly verdict: 'approved' | 'rejected' | 'expired';
      readonly decidedBy: DecidedBy;
      readonly input?: JsonObject;
      readonly reason?: string;
      /** What the model reads as the result of a rejected call, in the page's own words. */
      readonly rejectionText?: string;
      /** To a question. */
      readonly answer?: Json;
      /** Which version of the tool a standing decision has let through. */
      readonly toolVersion?: string;
      /** The person's name, where the page gave one. */
      readonly userName?: string;
      /** The same for every later call of this tool, in this session or for the agent. */
      readonly remember?: 'session' | 'agent';
    }
  | { readonly type: 'rule.revoked'; readonly name: string }
  | { readonly type: 'call.started'; readonly callId: string; readonly attempt: number }
  /** Told and shown, and not kept: the one event that is in no store. */
  | { readonly type: 'call.progress'; readonly callId: string; readonly progress: Json }
  | {
      readonly type: 'call.ended';
      readonly callId: string;
      readonly outcome: CallOutcome;
      readonly output?: Json | readonly Part[];
      readonly summary?: string;
      readonly details?: ToolDetails;
    }
  | ContextEvent;

/** An event as it stands in the log. */
export type SessionEvent = EventBody & {
  /** Place in the log, growing; an event made of several neighbours has the last one's, one that is not kept that of the one before. */
  readonly seq: number;
  /** ms since the epoch */
  readonly at: number;
  /** Version of the event's shape. */
  readonly v: typeof eventVersion;
  /** `seq` of the first of the neighbours that it was made of, where it took their place in the store. */
  readonly since?: number;
};

/** Version 2 took the field's words and says what each request was made of; `upcast.ts` brings version 1 to it. */
export const eventVersion = 2;

export type DeltaEvent = Extract<SessionEvent, { readonly type: 'text.delta' | 'reasoning.delta' | 'call.delta' }>;

/** Whether an event is for those who watch and not for the log. */
export function isTransient({ type }: EventBody): boolean {
  return type === 'call.progress';
}

/** What any tab may say while another one runs the session: nothing that a run does rests on it. */
export function isConcurrent({ type }: EventBody): boolean {
  return (
    type === 'message.queued' || type === 'message.unqueued' || type === 'session.renamed' || type === 'message.pinned'
  );
}

/** Whether an event is a piece of something still growing; all others change the structure. */
export function isDelta(event: SessionEvent): event is DeltaEvent {
  return event.type.endsWith('.delta');
}
