/// <reference lib="esnext.disposable" preserve="true" />
import type { Observable } from 'rxjs';
import type { ContextRunOptions } from '../context/options.ts';
import type { ContextReport } from '../context/report.ts';
import type { AgentError } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import type { LLMClient } from '../model/llm.ts';
import type { Budget, OutputSpec, ToolChoice } from '../model/settings.ts';
import type { RunOutcome, SessionEvent } from '../model/event.ts';
import type { Alternatives } from '../model/alternatives.ts';
import type { SessionState } from '../model/state.ts';
import type { PendingResume } from '../model/auto-resume.ts';
import type { SessionStatus } from '../model/status.ts';
import type { StorageStatus } from '../model/sync-state.ts';
import type { Retry } from '../retries.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolTypes } from '../model/call.ts';
import type { FinishReason, Message, MessageInput, Part, ToolPart } from '../model/message.ts';

/** The content of a user message: text, or parts with images, sounds and files. */
export interface ChatInput {
  /** Id of the message, so that a page can send it again and it is there once. Default: a new unique id. One that the session has is refused. */
  readonly id?: string;
  readonly content: string | readonly Part[];
  readonly metadata?: JsonObject;
}

/**
 * Options of one run. They are stored with the run, and apply again when the run is resumed, approved after a reload, admitted from the
 * queue or regenerated. A `client` and a `scratch` are not stored. In another page the agent's client takes the place of
 * the `client`, with its own model and parameters; a `scratch` is needed again, or the run ends with `MISSING_OPTION`.
 */
export interface RunOptions extends ContextRunOptions {
  /** Replaces the agent's client; the agent's `model` and `providerParams` do not apply then. */
  readonly client?: LLMClient;
  /** Overrides the agent's model. */
  readonly model?: string;
  readonly temperature?: number;
  /** Schema of the answer: see `defineOutput`. Default: the answer is text. */
  readonly output?: OutputSpec;
  /**
   * Whether the model may call tools. `required` and the name of a tool apply to the first request of the run only: otherwise the run could
   * not end with an answer.
   */
  readonly toolChoice?: ToolChoice;
  /** See `LLMRequest.providerParams`. Merged over those of the agent. Stored in the log: put no key in here. */
  readonly providerParams?: JsonObject;
  /** The tools that the model may call in this run: names, or tools of the session. Default: all. */
  readonly tools?: readonly (string | Pick<Tool, 'name'>)[];
  /** Cancels the run when the signal aborts; a message that still waits in the queue leaves the queue. Not stored. */
  readonly signal?: AbortSignal;
  /** Overrides the agent's `maxSteps`. */
  readonly maxSteps?: number;
  /** Overrides the agent's `budget`. */
  readonly budget?: Budget;
}

/** How to treat a message that is sent during a run. */
export type WhenBusy =
  /** Throws `SESSION_BUSY`. The default. */
  | 'refuse'
  /** The message waits in the log, also across a reload. When the run has completed, a run of its own answers the message. */
  | 'queue'
  /** The message waits in the log for the next step of the run, which then answers it. */
  | 'steer'
  /** Cancels the run, then sends the message. */
  | 'interrupt';

/** Options of `AgentSession.send`. */
export interface SendOptions extends RunOptions {
  /** How to treat the message during a run. Default `refuse`. */
  readonly whenBusy?: WhenBusy;
}

/** The result of a run. */
export interface RunResult<Tools extends ToolTypes = ToolTypes> {
  readonly outcome: RunOutcome;
  /** The last reply, complete or not; missing without a reply. */
  readonly message?: Message<Tools>;
  /**
   * Why the last reply ended, when `outcome` is `completed`. `length`: the output limit truncated the reply, and `resume` continues it.
   * `content-filter`: a filter of the provider ended it. `unknown`: the provider stated no reason, so the reply may be incomplete.
   */
  readonly finish?: FinishReason;
  /** The reason, when `outcome` is `failed` or `interrupted`. */
  readonly error?: AgentError;
}

/** Options of `AgentSession.answer`. */
export interface AnswerOptions {
  /** Name of the user, for the log and for the error of a later decision on the same call. */
  readonly userName?: string;
  /** `fingerprintOf` the call as it was shown: the decision is rejected with `DECISION_STALE` if the call has another fingerprint. */
  readonly fingerprint?: string;
  /**
   * `false`: this page does not run what it decides, because it has neither the key nor the tools, for example. The decision is stored as
   * `approval.proposal`, and the page that asked takes it, as long as that page is open; until then the call awaits approval, and every page
   * can decide it without this option. A page that drives the run itself decides at once. Default `true`: the page that decides drives the run.
   */
  readonly drive?: boolean;
}

/** Options of a decision on a call. */
export interface DecisionOptions extends AnswerOptions {
  /**
   * Whether the decision becomes an approval rule for every later call of the tool: in this session, or in all sessions of the agent. A
   * rule applies for as long as the tool's name and schema stay the same. Default `once`: no rule.
   */
  readonly remember?: 'once' | 'session' | 'agent';
}

/** Options of `AgentSession.approve`. */
export interface ApproveOptions extends DecisionOptions {
  /** Replaces the model's input; must fit the tool's schema. The model is notified of the change in the result of the call. */
  readonly input?: JsonObject;
}

/** Options of `AgentSession.reject`. */
export interface RejectOptions extends DecisionOptions {
  /** The reason of the rejection. The model reads it in the result of the call. */
  readonly reason?: string;
}

/**
 * One conversation. Every `x$` emits its current value synchronously on subscription, except `events$` and `context$`. Each stream
 * has a getter (`messages$`: `getMessages`) that returns the current value, also before a throttled stream emits it, and the same reference
 * for as long as the value is unchanged.
 *
 * Methods copy and check what they are given within the call: a later change of a caller's object changes nothing, also while the promise of a
 * method is pending. They throw `AgentError` synchronously, or reject with one where they are declared to reject. Every method that changes the session
 * can throw `INVALID_INPUT` for an argument of the wrong shape or that JSON cannot represent, `SESSION_REMOVED` after the session has been removed or unloaded, `SESSION_READ_ONLY` when its log cannot be read, and, where
 * not stated otherwise, `SESSION_BUSY` while another tab runs the session.
 *
 *     const session = await agent.openSession(agent.createSession());
 *     session.messages$.subscribe((messages) => render(messages));
 *     const { outcome, message, error } = await session.send('Hello!');
 *
 * `Tools` types the tool calls in messages (see `ToolPart`): `AgentSession<ToolsOf<typeof agent>>`.
 */
export interface AgentSession<Tools extends ToolTypes = ToolTypes> {
  readonly id: string;

  /** The messages, oldest first. Emits at most once a frame while text streams (`AgentOptions.throttle`), at once for any other change. */
  readonly messages$: Observable<readonly Message<Tools>[]>;
  readonly getMessages: () => readonly Message<Tools>[];
  readonly status$: Observable<SessionStatus>;
  readonly getStatus: () => SessionStatus;
  /**
   * The calls that wait for a person, of this session and of the sessions below it (`agentTool`) that are in memory: `approve`, `reject` and
   * `answer` of this session decide each of them. After a reload those below come when the store has answered.
   */
  readonly approvals$: Observable<readonly ToolPart<Tools>[]>;
  readonly getApprovals: () => readonly ToolPart<Tools>[];
  /** The whole state, the reduce over all events; `messages$` and `status$` are projections of the state. */
  readonly state$: Observable<SessionState>;
  readonly getState: () => SessionState;
  /** Whether the events so far are stored, and why not. */
  readonly storage$: Observable<StorageStatus>;
  readonly getStorage: () => StorageStatus;
  /** The run that was cut and continues by itself (`AgentOptions.autoResume`), while it waits. State of this page alone: no event contains it. */
  readonly resuming$: Observable<PendingResume | undefined>;
  readonly getResuming: () => PendingResume | undefined;
  /** Emits every event from the subscription on, synchronously and in order. */
  readonly events$: Observable<SessionEvent>;

  /** The content of the next request, by zone. */
  readonly context$: Observable<ContextReport>;
  /** Returns `undefined` when neither the agent nor the session uses the context options. */
  readonly getContext: () => ContextReport | undefined;
  /**
   * The request that failed and waits for its next attempt: from the failure until the first chunk of the answer, or until the run is
   * cancelled or fails. State of this page alone: no event contains it, no store keeps it.
   */
  readonly retrying$: Observable<Retry | undefined>;
  readonly getRetrying: () => Retry | undefined;

  /**
   * Adds a message without a request to the model. Returns its id.
   *
   * @throws AgentError `INVALID_INPUT` for a message of the wrong shape, and for an id that the session already has
   */
  addMessage(message: MessageInput): string;
  /**
   * Replaces content, metadata and timestamp of a message by those of the result of `updater`, which is called once. Everything else is
   * kept, and so are calls that have not ended and the state of all calls.
   *
   * @throws AgentError `MESSAGE_NOT_FOUND`, `INVALID_INPUT` for a result of the wrong shape
   */
  updateMessage(messageId: string, updater: (message: Message<Tools>) => Message): void;
  /**
   * Removes a message from the conversation and from later requests. The log keeps its text, and so does a summary that includes it.
   *
   * @throws AgentError `MESSAGE_NOT_FOUND`, `SESSION_BUSY` during a run
   */
  removeMessage(messageId: string): void;
  /** Cancels the run and removes all messages from the state; the title and the log stay. */
  clear(): void;
  /** Replaces the page's own data of the session, `SessionState.metadata`, also while another tab runs the session. */
  setMetadata(metadata: JsonObject): void;
  /** Sets the title, also while another tab runs the session. */
  rename(title: string): void;

  /**
   * Sends a user message and starts a run. Resolves when the run has ended, whatever its `outcome`; never rejects.
   *
   * @throws AgentError `SESSION_BUSY` during a run (see `whenBusy`), `INVALID_INPUT` for an empty message or options that cannot be stored,
   * `MISSING_CLIENT` while no client is set: the message is not in the session
   */
  send(input: string | ChatInput, options?: SendOptions): Promise<RunResult<Tools>>;
  /** Removes a message from the queue, in any tab; the promise of its `send` resolves with `cancelled`. */
  unqueue(messageId: string): void;
  /** Cancels the run, in any tab: requests and tools are aborted, the text so far stays. Without a run nothing happens. Never throws. */
  cancel(): void;
  /** Alias of `cancel`, for a run that waits for a decision: its open calls are cancelled, and later decisions are rejected. */
  terminate(): void;
  /** Takes the lease of the session from a tab that does not respond: its run is interrupted, and that tab cannot write any more. */
  takeOver(): Promise<void>;
  /**
   * Continues the last run after an interruption, a failure, a limit, a cancel, or a reply that the output limit truncated (`finish` is
   * `length`): the model is asked to continue where the reply stopped, in a reply of its own. When the last run has completed, starts a run for the
   * oldest message in the queue. Resolves as `send` does.
   *
   * @throws AgentError `NOTHING_TO_RESUME`, `SESSION_BUSY` during a run, `MISSING_OPTION` without an option that the run needs
   */
  resume(options?: RunOptions): Promise<RunResult<Tools>>;
  /**
   * Answers the last user message, or the given one, again; the messages after it become an alternative (see `alternatives`). If the run
   * ends without a new answer, they return. Resolves as `send` does.
   *
   * @throws AgentError `MESSAGE_NOT_FOUND`, `NOTHING_TO_RESUME` without a user message, `SESSION_BUSY` during a run, `MISSING_OPTION`
   */
  regenerate(messageId?: string, options?: RunOptions): Promise<RunResult<Tools>>;
  /**
   * Sends a user message in the place of an earlier one; the earlier message and those after it become an alternative. A text replaces the
   * text only: images, files and metadata stay. The settings of the run that answered the earlier message apply again. Resolves as `send`
   * does.
   *
   * Rejects with `MESSAGE_NOT_FOUND` for an id that is not of a user message, `INVALID_INPUT`, `SESSION_BUSY` during a run,
   * and `MISSING_OPTION`.
   */
  edit(messageId: string, input: string | ChatInput, options?: RunOptions): Promise<RunResult<Tools>>;
  /**
   * Returns the versions of the conversation that begin at a message: what `regenerate` and `edit` replaced, and what is shown. A reply of
   * several messages has its versions at the first of them.
   */
  alternatives(messageId: string): Alternatives;
  /**
   * Shows another version: `version` is its index in `alternatives(messageId)`, or the id of its first message. What was shown becomes an
   * alternative. The calls of a version that was not shown have ended: none runs again. Resolves when the version is shown.
   *
   * Rejects with `MESSAGE_NOT_FOUND`, and `SESSION_BUSY` during a run.
   */
  selectAlternative(messageId: string, version: number | string): Promise<void>;
  /**
   * Approves a call that awaits approval, whichever tab requested it. Resolves when the decision is stored.
   *
   * Rejects with `CALL_NOT_FOUND`, `CALL_NOT_PENDING` (another tab decided first, for example), `DECISION_STALE`, or `INVALID_INPUT` for an
   * edited input that does not fit the schema (the call still awaits approval). Rejects with the store's error when the decision cannot be
   * stored: nothing is decided then, and the call still awaits approval. With `remember: 'agent'` rejects with the store's error
   * when only the rule cannot be stored; the call itself is decided then. With `drive: false` resolves when the decision is stored for the
   * page that asked; rejects with `CALL_NOT_PENDING` if another page has done so first, and with `INVALID_INPUT` if the run has ended.
   */
  approve(callId: string, options?: ApproveOptions): Promise<void>;
  /** Rejects a call that awaits approval. Resolves when the decision is stored; the promise rejects as that of `approve` does. */
  reject(callId: string, options?: RejectOptions): Promise<void>;
  /**
   * Answers an elicitation, a call of a tool with `answer` (see `defineTool`). Resolves when the answer is stored. Rejects as `approve`
   * does, with `INVALID_INPUT` for an answer that does not fit the schema.
   */
  answer(callId: string, answer: Json, options?: AnswerOptions): Promise<void>;
  /** Removes the approval rule of a tool in this session. */
  revokeApprovalRule(toolName: string): void;

  /**
   * Compacts older messages now, in a run of its own without a reply. The result is an event, `context.compacted` or
   * `context.compaction-failed`, and changes `context$`. After a failure the `outcome` is `failed`, `error` is the reason (`INVALID_INPUT` when
   * there is nothing to compact), and the session is idle: nothing has changed.
   *
   * @throws AgentError `SESSION_BUSY` during a run
   */
  compact(): Promise<RunResult<Tools>>;
  /** Undoes a compaction and all later ones: the model sees the messages again, as long as they fit. An unknown id changes nothing. */
  restoreContext(compactionId: string): void;
  /** Excludes a message from compaction, or (`false`) includes it again; also while another tab runs the session. */
  pin(messageId: string, pinned?: boolean): void;

  /**
   * Closes the session in this tab without removing it: a run of this tab is interrupted, a call that awaits a decision stays in
   * the store, the streams complete. Resolves when every event is stored. Without a store the session is lost.
   *
   * Rejects with the `AgentError` of the store; the session is then still open.
   */
  close(): Promise<void>;
  /** The same, at the end of the block of `await using session = await agent.openSession(id)`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Resolves when all events so far are stored, at once without a store; rejects with the `AgentError` of the store. */
  flushed(): Promise<void>;
}
