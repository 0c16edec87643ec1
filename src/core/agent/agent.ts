/// <reference lib="esnext.disposable" preserve="true" />
import type { Observable } from 'rxjs';
import type { ChatOptions, ChatOutput } from '../session/chat.ts';
import type { CallPlace, SessionEvent } from '../model/event.ts';
import type { ToolPart } from '../model/message.ts';
import type { ToolTypes } from '../model/call.ts';
import type { LLMClient } from '../model/llm.ts';
import type { ApprovalRule } from '../model/state.ts';
import type { SessionStore } from '../model/store.ts';
import type { WaitingCall } from '../model/waiting.ts';
import type { AgentSession, ChatInput } from '../session/session.ts';
import type { Tool } from '../tools/tool.ts';
import type { SetClientOptions, OpenOptions, SessionOptions } from './agent-options.ts';
import type { ScheduledPrompt, ScheduleOptions } from './scheduled-prompt.ts';

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
  /**
   * Plans a prompt: it is sent to the session once, at the given time or soon after it, by one of the pages that are open, or at the next visit. Resolves
   * with the id of its message when the prompt is stored.
   *
   *     const { id } = await agent.schedule(sessionId, 'Summarize my notes.', new Date('2026-12-01T08:00'));
   *     await agent.unschedule(id);
   *
   * Until then the prompt is in the queue of its session, with `due`: it is exported and removed with the session. It follows a run that is
   * under way then. Without a client, or while the session cannot be opened, it stays: see `schedules$`. Only this browser, or process, sends it; a file
   * or a copy of the session has no planned prompts.
   *
   * Rejects with `INVALID_INPUT` for a message without content, a time that is not a valid date, has passed, or lies more than ten years ahead;
   * as `openSession` does, and with the `AgentError` of the store: nothing is planned then.
   *
   * @param when ms since the epoch
   */
  schedule(
    sessionId: string,
    input: string | ChatInput,
    when: Date | number,
    options?: ScheduleOptions,
  ): Promise<{ readonly id: string }>;
  /** Cancels a planned prompt. Resolves with whether it had not been sent. Rejects with the `AgentError` of the store. */
  unschedule(id: string): Promise<boolean>;
  /**
   * The planned prompts of all sessions, the next one first, in memory and in the store. Emits the current value on subscription. A page sends what is due
   * from the first subscription on, or from the first `schedule`; before, nothing is read.
   */
  readonly schedules$: Observable<readonly ScheduledPrompt[]>;
  /** Returns the value of `schedules$`; empty before the store has answered. While nothing subscribes, what other tabs plan may be missing for a minute. */
  readonly getSchedules: () => readonly ScheduledPrompt[];
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
