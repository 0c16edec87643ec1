import type { ErrorInfo } from '../error.ts';
import type { JsonObject } from '../json.ts';
import type { Message, Spending, Usage } from './message.ts';
import type { RunSettings, ToolSpec } from './settings.ts';
import type { ContextEvent } from './context-event.ts';
import type { CallPlace, QueueMode, RunLimit, RunOutcome, SessionEvent } from './event.ts';

/** The run in progress, or the last one. */
export interface RunState {
  readonly id: string;
  /** Number of requests so far, including those of the runs that this run resumes. */
  readonly steps: number;
  /** Tokens of these requests and of compactions. */
  readonly usage: Usage;
  /** Cost of these requests, where money is limited; missing for none. */
  readonly cost?: number;
  /** The highest cost that the open reply may have, where money is limited. */
  readonly reserved?: number;
  /**
   * What the sessions of the run's ended calls have used, without what those of its open calls had used before a limit after which the run was
   * resumed; missing for none.
   */
  readonly children?: Spending;
  /** When the run began, or the user last decided on a call of the run: ms since the epoch. */
  readonly since: number;
  /** When the user last decided on a call of the run: ms since the epoch. Missing for never. */
  readonly decidedAt?: number;
  /** Id of the message that this run, and the runs that it resumes, answer. Messages before it belong to earlier runs. */
  readonly promptId?: string;
  /** Id of the reply that is streaming. */
  readonly openReply?: string;
  /** Id of the truncated reply that the run continues. */
  readonly continues?: string;
  /** How often the run has continued by itself since a person last sent or resumed; missing for none. */
  readonly autoResumes?: number;
  /** Whether the run only compacts older messages. */
  readonly isCompaction?: boolean;
  /** Whether the provider has refused the latest request as too long. */
  readonly isRefused?: boolean;
  /** `steps` at the latest compaction, successful or not. */
  readonly compactedAtStep?: number;
  /** Missing while the run is open. */
  readonly outcome?: RunOutcome;
  /** The limit, when `outcome` is `limit`. */
  readonly limit?: RunLimit;
  /** Id of the session whose budget is used up, where that is a session above this one. */
  readonly account?: string;
  readonly error?: ErrorInfo;
  /** The options of the run; missing when the agent's own options apply. */
  readonly settings?: RunSettings;
}

/** Instructions and presets of the latest request. */
export interface Instructions {
  readonly contentId: string;
  readonly messages: readonly Message[];
}

/** Tools of the latest request. */
export interface ToolList {
  readonly contentId: string;
  readonly tools: readonly ToolSpec[];
}

/** A message in the queue. */
export interface QueuedMessage {
  readonly message: Message;
  readonly mode: QueueMode;
  /** Settings of the run that answers the message. */
  readonly settings?: RunSettings;
  /** When the message is due: ms since the epoch. Missing for a message that is answered after the run. */
  readonly due?: number;
  /** Whether the message is left out where nothing has sent it in time. */
  readonly missed?: 'skip';
}

/** When a decision on a call was requested. */
export interface AskedCall {
  readonly callId: string;
  /** ms since the epoch */
  readonly at: number;
}

/** A decision of the user on all later calls of a tool, valid for as long as the tool's name and schema stay the same. */
export interface ApprovalRule {
  /** Name of the tool. */
  readonly name: string;
  readonly verdict: 'approved' | 'rejected';
  /** Version of the tool to which the rule applies. */
  readonly toolVersion: string;
  readonly reason?: string;
  /** The user's name; missing when the page passed none. */
  readonly userName?: string;
  /** When the user decided: ms since the epoch. */
  readonly at: number;
}

/** A version of the conversation that is not shown: a reply that was regenerated, or a message that was edited, with all that followed. */
export interface Alternative {
  /** Id of the message before; empty where the conversation begins with the alternative. */
  readonly after: string;
  /** Order among the versions after that message. */
  readonly order: number;
  readonly messages: readonly Message[];
  /** The last run of the version. */
  readonly run?: RunState;
}

/** The state of a session: the reduce over its events. Plain data. Invariant: values that have not changed keep their identity. */
export interface SessionState {
  readonly id: string;
  /** The calls that led to this session, that of the root first; missing for a session that no call has started. */
  readonly path?: readonly CallPlace[];
  /** Ids of the sessions that calls of this session have started, also of calls that are shown no more; missing for none. */
  readonly children?: readonly string[];
  /** The given title, else the beginning of the first user message, also after it was edited, else empty. */
  readonly title: string;
  /** The page's own data; missing before the first `setMetadata`. */
  readonly metadata?: JsonObject;
  /** ms since the epoch */
  readonly createdAt: number;
  /** When something last happened in the conversation: ms since the epoch. A new title or new metadata do not count. */
  readonly updatedAt: number;
  /** `seq` of the last event. */
  readonly seq: number;
  /** The messages, oldest first. */
  readonly messages: readonly Message[];
  /** The open run, or the last one; missing before the first run. */
  readonly run?: RunState;
  /** Messages that were sent during a run, or planned for later (`due`), and are not admitted yet, oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Approval rules for this session. */
  readonly approvalRules: readonly ApprovalRule[];
  /** Messages that left the view for a new answer; they return if no new answer comes. */
  readonly replaced: readonly Message[];
  /** Versions of the conversation that are not shown: see `alternativesOf`. */
  readonly alternatives: readonly Alternative[];
  /** Id of the message that is being answered again. */
  readonly rewoundTo?: string;
  /** When the decisions on waiting calls were requested; may contain calls that no longer wait. Missing before the first one. */
  readonly asked?: readonly AskedCall[];
  /** All context events since the session was last cleared, oldest first. */
  readonly context: readonly (SessionEvent & ContextEvent)[];
  /** Tokens of all replies and compactions together. */
  readonly usage: Usage;
  /** Missing before the first request with instructions or presets. */
  readonly instructions?: Instructions;
  /** Missing before the first request with tools. */
  readonly tools?: ToolList;
}

/**
 * The part of a state from which the next step and the status follow: without the list of messages, so that its cost does not grow with
 * their number. Invariant: a decision on this part is the decision on the whole state.
 */
export interface RecentState extends Pick<SessionState, 'id' | 'queue' | 'approvalRules' | 'context'> {
  /** The open run, or the last one; `undefined` before the first run. */
  readonly run: RunState | undefined;
  /** The newest message; `undefined` only where the session has no message. */
  readonly newest: Message | undefined;
  /** The last reply of the agent; `undefined` only where the session has no reply, or no run. */
  readonly lastReply: Message | undefined;
}

/** The messages of all versions. */
export function allMessages({ messages, alternatives }: SessionState): readonly Message[] {
  return [...messages, ...alternatives.flatMap((alternative) => alternative.messages)];
}

/** Usage before the first request. */
export const noUsage: Usage = { input: 0, output: 0 };

/** Returns the state of a session before its first event. */
export function initialState(id: string): SessionState {
  return {
    id,
    title: '',
    createdAt: 0,
    updatedAt: 0,
    seq: 0,
    messages: [],
    queue: [],
    approvalRules: [],
    replaced: [],
    alternatives: [],
    context: [],
    usage: noUsage,
  };
}

/** Returns the run that has not ended, if there is one. */
export function openRun({ run }: { readonly run?: RunState | undefined }): RunState | undefined {
  return run?.outcome === undefined ? run : undefined;
}

/** Whether a run has ended by a limit of its own session: a run that resumes it may use the same amount again. */
export function isOwnLimit(run: RunState | undefined): boolean {
  return run?.outcome === 'limit' && run.account === undefined;
}
