/// <reference lib="esnext.disposable" preserve="true" />
import type { ApprovalPolicy } from '../tools/approval-policy.ts';
import type { Observable } from 'rxjs';
import type { ChatOptions, ChatOutput } from '../session/chat.ts';
import type { ContextAgentOptions } from '../context/options.ts';
import type { ErrorListener } from '../caught-error.ts';
import type { JsonObject } from '../json.ts';
import type { CallPlace, SessionEvent } from '../model/event.ts';
import type { ToolPart } from '../model/message.ts';
import type { ToolTypes } from '../model/call.ts';
import type { LLMClient } from '../model/llm.ts';
import type { SessionState, ApprovalRule } from '../model/state.ts';
import type { SessionStore } from '../model/store.ts';
import type { WaitingCall } from '../model/waiting.ts';
import type { Ports } from '../ports.ts';
import type { Budget } from '../model/settings.ts';
import type { AgentSession, ChatInput } from '../session/session.ts';
import type { Presenter } from '../tools/tool-types.ts';
import type { FormatRejection } from '../tools/rejection.ts';
import type { Tool } from '../tools/tool.ts';

/** What belongs to a client that an agent is given: see `Agent.setClient`. What is missing is as in `createAgent`, but the model and its parameters. */
export interface SetClientOptions {
  /** Name of the model, as the provider knows it. Default: the model of the client. */
  readonly model?: string;
  /** See `LLMRequest.providerParams`. Default: none. Stored in the log: put no key in here. */
  readonly providerParams?: JsonObject;
  /** Tokens that the model accepts, request and answer together. */
  readonly contextWindow?: number;
  /** Maximum tokens of the answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** Options of `createAgent`. None is required. They are copied: a later change of the object changes nothing. */
export interface AgentOptions extends ContextAgentOptions {
  /**
   * Sends the requests to the model, for example `createChatCompletionsClient({ … })`. Without one the agent opens and shows sessions, and
   * what needs a model throws `MISSING_CLIENT`, until `setClient`.
   */
  readonly client?: LLMClient | undefined;
  /** Name of the model, as the provider knows it. Default: the model of the client. */
  readonly model?: string;
  /** Tools that the model may call, with unique names. Default: none. */
  readonly tools?: readonly Tool[];
  /** The system prompt: first in every request. Default: none. */
  readonly instructions?: string;
  /** Where sessions are stored. Default: no store; sessions live as long as the agent. */
  readonly store?: SessionStore;
  /** Separates the approval rules of several agents that share one store. Default: empty. */
  readonly name?: string;
  /** Maximum number of requests to the model in one run, which then ends with `limit`. Default 10. */
  readonly maxSteps?: number;
  /** Tokens and time that one run may use, before it ends with `limit`. Default: no limit. */
  readonly budget?: Budget;
  /** Called before each request of a run but the first: `true` ends the run with `limit`. */
  readonly stopWhen?: (state: SessionState) => boolean;
  /**
   * Decides for all tools, those of MCP servers too, which calls a person must approve; called before each call, with a copy of it. `true`: a
   * person is asked. `false`: the tool's own `needsApproval` decides, so that the function can only add questions. A function
   * that throws, or returns anything else, counts as `true`; `onError` receives what it throws. An approval rule answers the question, as
   * it does for `needsApproval`.
   *
   *     createAgent({ client, tools, needsApproval: ({ name }) => !['current_time', 'calculate'].includes(name) });
   */
  readonly needsApproval?: ApprovalPolicy;
  /** Makes the results of tools without a `present` presentable: see `createPresenter` of `brooklet/tools`. */
  readonly present?: Presenter;
  /**
   * Returns the text that the model reads as the result of a rejected call. Called once for each rejection; the text is stored with the
   * decision. If the function throws or returns an empty text, the model reads the default text.
   */
  readonly formatRejection?: FormatRejection;
  /**
   * Called with each error that would otherwise be in the log only, or nowhere, with its cause and stack: a run that fails, a tool that throws,
   * a write that fails; and what `approve`, `needsApproval`, `answer`, `present`, `followUp` or `formatRejection` throws, although the call continues. An error that the function throws is reported as an uncaught one and changes nothing.
   */
  readonly onError?: ErrorListener;
  /** Maximum number of messages that the model sees, system messages not counted; older whole turns are left out. Default: no limit. */
  readonly maxMessages?: number;
  /** Alias of `maxMessages`, from seed 000. */
  readonly capacity?: number;
  readonly temperature?: number;
  /** See `LLMRequest.providerParams`. Stored in the log: put no key in here. */
  readonly providerParams?: JsonObject;
  /**
   * Minimum ms between two notifications of streaming text; 0 for every frame. Default: adaptive. Every frame; every second frame when text
   * arrives faster than people read (1,000 characters a second), fewer when text arrives faster still; and fewer when rendering is slow
   * (a long history without a virtual list), so that rendering takes at most a fifth of the time.
   */
  readonly throttle?: number;
  /**
   * ms after which an idle session is unloaded from memory: no run is open, all events are stored and nothing subscribes to the session.
   * `openSession` loads the session again. Default: never. Without a store no session is unloaded.
   */
  readonly idleTimeout?: number;
  /**
   * Resumes a run by itself that was cut (`isCut`): the connection was lost, the page was suspended, or left and opened again in the same tab.
   * `true`: with the defaults of `AutoResumeOptions`. Only the tab that drove the run does so, never while a call is uncertain, and
   * `cancel` of the session ends the wait. `AgentSession.resuming$` has what waits; the log has `isAutomatic` at the start of such a run.
   * Not for a client whose requests have effects of their own, a remote AG-UI agent for example: the run would begin there again. Default
   * `false`: a person resumes.
   */
  readonly autoResume?: boolean | AutoResumeOptions;
  /** Clock, ids, timers and frames, for tests and other environments. Default: those of the browser. */
  readonly ports?: Partial<Ports>;
}

/** How runs that were cut continue by themselves: see `AgentOptions.autoResume`. */
export interface AutoResumeOptions {
  /** Largest number of automatic resumes of one run, until a person sends or resumes. Default 2. */
  readonly attempts?: number;
  /** ms from the cut to the first resume, doubled for each later one up to 30 s. Without a network the resume waits for it. Default 1,000. */
  readonly firstDelay?: number;
  /** ms. When the page opens a session whose run was cut longer ago, a person resumes it. Default 10 minutes. */
  readonly within?: number;
}

/** What a session has of its own. It is not stored: pass it to `openSession` again. */
export interface SessionSetup {
  /** Replaces the agent's instructions. */
  readonly instructions?: string;
  /** Added to the agent's tools; a tool of the same name replaces that of the agent. */
  readonly tools?: readonly Tool[];
}

/** Options of `Agent.openSession`. */
export interface OpenOptions extends SessionSetup {
  /**
   * Whether an id that the store has never had becomes a new, empty session. Default `false`. A session that was removed is not created
   * again. A session that the browser has erased is created again as an empty one.
   */
  readonly create?: boolean;
}

/** Options of `Agent.createSession`. */
export interface SessionOptions extends SessionSetup {
  /** Default: a new unique id. With an id that the store has already, the stored session replaces the new one: use `openSession`. */
  readonly id?: string;
  /** The page's own data of the session: see `AgentSession.setMetadata`. */
  readonly metadata?: JsonObject;
}

/** An event of one of an agent's sessions. */
export interface AgentEvent {
  readonly sessionId: string;
  readonly event: SessionEvent;
}

/** Where a waiting call is. */
interface PendingPlace {
  readonly sessionId: string;
  /** Title of the session; empty where it has none. */
  readonly title: string;
  /** The calls that led to the session, that of the root first; missing for a session that no call has started. */
  readonly path?: readonly CallPlace[];
}

/** A call of a session in memory that waits for a person. */
export interface OpenPendingCall<Tools extends ToolTypes = ToolTypes> extends PendingPlace, WaitingCall {
  readonly isOpen: true;
  /** The whole call, with its input. */
  readonly call: ToolPart<Tools>;
}

/** A call of a stored session that waits for a person, as the row of the session states it: `openSession` returns the session with the whole call. */
export interface StoredPendingCall extends PendingPlace, WaitingCall {
  readonly isOpen: false;
  readonly call?: undefined;
}

/**
 * A stored session that waits for a person, and of whose calls nothing is known: an older version has written its row, and the end of its
 * log does not state it, or was not read.
 */
export interface UnknownPendingCall extends PendingPlace {
  readonly isOpen: false;
  readonly callId?: undefined;
  readonly name?: undefined;
  readonly kind?: undefined;
  /** When the session was last changed: ms since the epoch. */
  readonly requestedAt: number;
  readonly expiresAt?: undefined;
  readonly label?: undefined;
  readonly call?: undefined;
}

/**
 * A call that waits for a person. `isOpen`: whether its session is in memory. `call` is the whole call then; a call of a stored session has
 * no input before its session is opened.
 */
export type PendingCall<Tools extends ToolTypes = ToolTypes> =
  | OpenPendingCall<Tools>
  | StoredPendingCall
  | UnknownPendingCall;

/**
 * Sessions that share client, tools and instructions, and are otherwise independent of each other. `Tools` is the union of the types of the
 * tools that were passed to `createAgent`: it types the tool calls in messages (see `ToolPart`).
 */
export interface Agent<Tools extends ToolTypes = ToolTypes> {
  /**
   * Creates an empty session in memory and returns its id. The session is stored in the background.
   *
   * @throws AgentError `INVALID_INPUT` for an id that is not a text or that a session in memory has, and for metadata that are not JSON
   */
  createSession(options?: SessionOptions): string;
  /**
   * Returns the session from memory, else from the store. A run that a vanished tab left running is interrupted. A session whose log cannot
   * be read in full is read-only: its methods throw `SESSION_READ_ONLY`, and `getStorage()` contains the reason. The instructions and tools
   * of `options` have no effect on a session in memory.
   *
   *     const session = await agent.openSession(location.hash.slice(1), { create: true });
   *
   * With `create` an id that was never stored becomes a new session, which is stored in the background as that of `createSession`. Several
   * tabs may do so at once: they share one session.
   *
   * Rejects with `INVALID_INPUT` for an id that is not a text of 1 to 1,000 characters, with `SESSION_REMOVED` for a session that a person has
   * removed, without `create` with `SESSION_NOT_FOUND` for an id that the store does not have, and with the `AgentError` of the store.
   */
  openSession<const OwnTools extends readonly ToolTypes[] = readonly never[]>(
    sessionId: string,
    options?: OpenOptions & { readonly tools?: OwnTools },
  ): Promise<AgentSession<Tools | OwnTools[number]>>;
  /** Returns the session if it is in memory, else `undefined`. */
  getSession(sessionId: string): AgentSession<Tools> | undefined;
  /**
   * Cancels the session's run and removes the session from memory, and in the background from the store: see `removed`. Returns whether the
   * session was in memory.
   */
  removeSession(sessionId: string): boolean;
  /**
   * Resolves when the store has removed the session that was passed to `removeSession`. Rejects with the `AgentError` of the store: the
   * session is then still stored.
   */
  removed(sessionId: string): Promise<void>;
  /** Undoes a removal by any tab. Resolves with whether the store still had the session. */
  restoreSession(sessionId: string): Promise<boolean>;
  /**
   * Creates a session that begins with the messages of another one, up to and including `messageId` (default: all). Resolves with the id of
   * the new session.
   *
   * Rejects with `MESSAGE_NOT_FOUND`, as `openSession` does, or with the `AgentError` of the store.
   */
  forkSession(sessionId: string, options?: { readonly messageId?: string }): Promise<string>;
  /**
   * Sends a message to a session in memory and emits the answer. Cold: the first subscription starts one run, which all subscribers share;
   * the run is cancelled when the last subscriber leaves. Stays open while a call waits for approval. Errors with `AgentError` when the
   * session is not in memory (`SESSION_NOT_FOUND`), and when the run cannot start, fails or is interrupted.
   */
  chat(sessionId: string, input: string | ChatInput, options?: ChatOptions): Observable<ChatOutput<Tools>>;
  /**
   * Changes the client of all sessions, or with `undefined` takes it away. The next request of each run goes to the new client; a request under
   * way ends with the old one. `model` and `providerParams` of `createAgent` belong to its own client, and do not apply to another.
   *
   *     agent.setClient(createProviderClient(openai, { apiKey, model: 'gpt-5-mini' }));
   *
   * A run that was asked with another client (`RunOptions.client`, or the one before) continues with this one, unless it is resumed with one.
   * The choice is not stored, and is that of this page alone.
   *
   * @throws AgentError `INVALID_CONFIG` for an object without `sendRequest`, and for an option of a wrong type
   */
  setClient(client: LLMClient | undefined, options?: SetClientOptions): void;
  /** The client that answers the next request; `undefined` where none is set. Emits the current value on subscription. */
  readonly client$: Observable<LLMClient | undefined>;
  readonly getClient: () => LLMClient | undefined;
  /** Cancels the run of a session in memory: see `AgentSession.cancel`. */
  cancel(sessionId: string): void;
  /**
   * Adds a tool from the next request on, in the place of an earlier tool of the same name; a tool of a server replaces only one of that server. With `sessionId` the tool belongs to this session
   * in memory alone, as `SessionSetup.tools` do.
   *
   * @throws AgentError `INVALID_CONFIG` for an object that `defineTool` did not make, and for a tool of a server whose name the page or another
   * server has; `SESSION_NOT_FOUND` for a session that is not in memory
   */
  addTool(tool: Tool, sessionId?: string): void;
  /**
   * Removes a tool from the next request on; a call of the tool that waits for approval cannot run any more. With `sessionId` it removes an own
   * tool of this session in memory: the agent's tool of the same name is back. Returns whether there was such a tool.
   *
   * @throws AgentError `SESSION_NOT_FOUND` for a session that is not in memory
   */
  removeTool(name: string, sessionId?: string): boolean;
  /** Resolves with the approval rules for all sessions of the agent. Rejects with the `AgentError` of the store. */
  listApprovalRules(): Promise<readonly ApprovalRule[]>;
  /** Removes the approval rule of a tool for all sessions of the agent. Rejects with the `AgentError` of the store. */
  revokeApprovalRule(toolName: string): Promise<void>;
  /** Emits every event of every session in memory, from the subscription on, synchronously and in order. */
  readonly events$: Observable<AgentEvent>;
  /**
   * The calls that wait for a person in all sessions, in memory and in the store, in the order of their requests. Emits the current value on
   * subscription; the calls of stored sessions, at most 20 of each session, come when the store has answered, and again at most 300 ms after
   * another tab or device has decided. No session is opened. While the store cannot be read, the calls stay that were last read.
   *
   *     agent.pending$.subscribe((calls) => (badge.textContent = String(calls.length)));
   *     // To decide: open the session, show the whole call, then let the person decide.
   *     const session = await agent.openSession(pending.sessionId);
   *     const call = session.getMessages().flatMap(toolParts).find(({ callId }) => callId === pending.callId);
   *     await session.approve(pending.callId);
   */
  readonly pending$: Observable<readonly PendingCall<Tools>[]>;
  /** Returns the value of `pending$`. While nothing subscribes to `pending$`, only the calls of sessions in memory. */
  readonly getPending: () => readonly PendingCall<Tools>[];
  /** Closes a session without removing it: see `AgentSession.close`. Resolves with whether the session was in memory. */
  closeSession(sessionId: string): Promise<boolean>;
  /**
   * Closes all sessions and completes the streams; no session can be created or opened from then on. The store stays open. Rejects with the
   * `AgentError` of the store when a session cannot be stored, which is then still open.
   */
  dispose(): Promise<void>;
  /** The same, at the end of the block of `await using agent = createAgent({ … })`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** The store that was passed to `createAgent`. */
  readonly store: SessionStore | undefined;
}

/**
 * The types of an agent's tools, for the types of its messages.
 *
 *     type ChatMessage = Message<ToolsOf<typeof agent>>;
 */
export type ToolsOf<AnyAgent extends Agent> = AnyAgent extends Agent<infer Tools> ? Tools : never;
