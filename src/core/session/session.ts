import type { Observable } from 'rxjs';
import type { ContextRunOptions } from '../context/options.ts';
import type { ContextReport } from '../context/report.ts';
import type { AgentError } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import type { LLMClient } from '../model/llm.ts';
import type { Budget, OutputSpec } from '../model/settings.ts';
import type { RunOutcome, SessionEvent } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStatus } from '../model/status.ts';
import type { StorageStatus } from '../model/sync-state.ts';
import type { Message, MessageInput, Part } from '../model/message.ts';

/** What a person says: text, or parts where there is more than text. */
export interface ChatInput {
  readonly content: string | readonly Part[];
  readonly metadata?: JsonObject;
}

/**
 * For one run only. What JSON can hold is stored with the run, and counts again when the run is resumed, approved after a reload,
 * admitted from the queue or regenerated. A `client` and a `scratch` are not stored: in another page the run needs them again, or ends
 * with `MISSING_OPTION`.
 */
export interface RunOptions extends ContextRunOptions {
  /** Answers instead of the agent's client, without the agent's model and `providerParams`. */
  readonly client?: LLMClient;
  /** Overrides the agent's model. */
  readonly model?: string;
  readonly temperature?: number;
  /** What the answer has to be: see `defineOutput`. */
  readonly output?: OutputSpec;
  /** See `LLMRequest.providerParams`. Beside the agent's. Stored in the log: put no key in here. */
  readonly providerParams?: JsonObject;
  /** Overrides the agent's `maxSteps`. */
  readonly maxSteps?: number;
  /** Overrides the agent's `budget`. */
  readonly budget?: Budget;
}

/** What becomes of a message that is sent while a run goes on. */
export type WhenBusy =
  /** `SESSION_BUSY`; the default. */
  | 'refuse'
  /** It waits in the log, also across a reload, and is answered by a run of its own when this one is completed. */
  | 'queue'
  /** It waits for the run's next step, and the run goes on with it. */
  | 'steer'
  /** The run is cancelled first. */
  | 'interrupt';

/** Options of `AgentSession.send`. */
export interface SendOptions extends RunOptions {
  readonly whenBusy?: WhenBusy;
}

/** How a run came to rest. */
export interface RunResult {
  readonly outcome: RunOutcome;
  /** The last reply, however far it came. */
  readonly message?: Message;
  /** Why, where `outcome` is `failed` or `interrupted`. */
  readonly error?: AgentError;
}

/** Who decides, and on what. */
export interface AnswerOptions {
  /** Name of the person, for the log and for whoever decides too late. */
  readonly userName?: string;
  /** `fingerprintOf` the call as it was shown: the decision is refused where the call is another one by now. */
  readonly fingerprint?: string;
}

/** Who decides, on what, and for how long the decision counts. */
export interface DecisionOptions extends AnswerOptions {
  /**
   * Whether the same counts for every later call of the tool: in this session, or in all sessions of the agent. It holds for
   * as long as the tool's name and schema do. Default `once`.
   */
  readonly remember?: 'once' | 'session' | 'agent';
}

/** Options of `AgentSession.approve`. */
export interface ApproveOptions extends DecisionOptions {
  /** Run the call with this input instead of the model's; it must fit the tool's schema. */
  readonly input?: JsonObject;
}

/** Options of `AgentSession.reject`. */
export interface RejectOptions extends DecisionOptions {
  /** Told to the model. */
  readonly reason?: string;
}

/**
 * One conversation. Every `x$` gives a new subscriber its current value at once; the getter beside it is never stale
 * and returns the same reference for as long as nothing changed.
 *
 * All verbs throw (or reject with) `AgentError`; `SESSION_REMOVED` after the session has been removed.
 */
export interface AgentSession {
  readonly id: string;

  /** While text streams at most once a frame, and less often where drawing is dear (`AgentOptions.pace`); at once for anything else. */
  readonly messages$: Observable<readonly Message[]>;
  readonly getMessages: () => readonly Message[];
  readonly status$: Observable<SessionStatus>;
  readonly getStatus: () => SessionStatus;
  /** The whole fold; `messages$` and `status$` are views of it. */
  readonly state$: Observable<SessionState>;
  readonly getState: () => SessionState;
  readonly storage$: Observable<StorageStatus>;
  readonly getStorage: () => StorageStatus;
  /** Every event from now on, at once and in order. */
  readonly events$: Observable<SessionEvent>;

  /** What the next request will hold, by zone; loads what counts it. Errors with `NETWORK_ERROR` where that cannot be had. */
  readonly context$: Observable<ContextReport>;
  /** `undefined` until it is loaded, and where the agent has no `contextWindow` and nothing else that is about the context. */
  readonly getContext: () => ContextReport | undefined;

  /** Adds a message without asking the model. Gives its id. */
  addMessage(message: MessageInput): string;
  /**
   * Replaces a message by what `updater` makes of it; id and role stay. The updater runs once.
   *
   * @throws AgentError `MESSAGE_NOT_FOUND`
   */
  updateMessage(messageId: string, updater: (message: Message) => Message): void;
  /** Cancels what runs and forgets all messages; title and log stay. */
  clear(): void;
  rename(title: string): void;

  /**
   * Asks the agent. Resolves when the run has come to rest, and never rejects for what happened in it: see `outcome`.
   *
   * @throws AgentError at once: `SESSION_BUSY` while a run goes on (but see `whenBusy`), `INVALID_INPUT` for nothing to say
   */
  send(input: string | ChatInput, options?: SendOptions): Promise<RunResult>;
  /** Takes a message out of the queue; who waits for its answer gets `cancelled`. */
  unqueue(messageId: string): void;
  /** Stops the run, also one that another tab runs: requests and tools are aborted, what was said stays. Nothing happens where nothing runs. */
  cancel(): void;
  /** The same, by the name that fits a run that waits for a decision: its open calls are cancelled, and later decisions refused. */
  terminate(): void;
  /** Takes a running session from a tab that does not answer: its run counts as interrupted, and that tab cannot write any more. */
  takeOver(): Promise<void>;
  /**
   * Goes on where the last run stopped: after an interruption, a failure, a limit, a cancel. Where nothing stopped, with the
   * message that has waited longest in the queue.
   *
   * @throws AgentError at once: `NOTHING_TO_RESUME`, `SESSION_BUSY`
   */
  resume(options?: RunOptions): Promise<RunResult>;
  /**
   * Answers anew, from the last user message or the given one. If nothing comes, the old answer comes back.
   *
   * @throws AgentError at once: `MESSAGE_NOT_FOUND`, `NOTHING_TO_RESUME`, `SESSION_BUSY`
   */
  regenerate(messageId?: string, options?: RunOptions): Promise<RunResult>;
  /**
   * Decides a call that waits, in whichever tab it came up; resolves when the decision is stored, and with `remember: 'agent'`
   * rejects where that cannot be (the call itself is decided).
   * Rejects with `CALL_NOT_FOUND`, `CALL_NOT_PENDING` (another tab was first, say), `DECISION_STALE`, or `INVALID_INPUT` for an
   * edited input that does not fit (the call stays held).
   */
  approve(callId: string, options?: ApproveOptions): Promise<void>;
  /** Rejects with `CALL_NOT_FOUND`, `CALL_NOT_PENDING`, `DECISION_STALE`. */
  reject(callId: string, options?: RejectOptions): Promise<void>;
  /** Answers a call that asks something (see `answer` of `defineTool`). Rejects as `approve` does. */
  answer(callId: string, answer: Json, options?: AnswerOptions): Promise<void>;
  /** Forgets what was decided for all calls of a tool in this session. */
  revokeApprovalRule(toolName: string): void;

  /**
   * Folds older messages now, as a run of its own that asks nothing; what came of it is in `context$`.
   *
   * @throws AgentError at once: `SESSION_BUSY`
   */
  compact(): Promise<RunResult>;
  /** Undoes a compaction, and those after it: the model sees the messages again, as long as they fit. Unknown ids change nothing. */
  restoreContext(compactionId: string): void;
  /** Keeps a message from ever being folded, or (`false`) lets it go again. */
  pin(messageId: string, pinned?: boolean): void;

  /** Resolves when everything so far is in the store; rejects with the storage's error. */
  flushed(): Promise<void>;
}
