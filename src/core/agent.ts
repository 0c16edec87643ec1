import type { Observable } from 'rxjs';
import { chat, type ChatOptions, type ChatOutput } from './session/chat.ts';
import { createLazyContext, type RunContext } from './context/lazy.ts';
import type { ContextAgentOptions } from './context/options.ts';
import { prepareRequest, type PreparedRequest } from './context/prepare-request.ts';
import { toImmutable } from './context/request.ts';
import { type AgentError, fail } from './error.ts';
import type { JsonObject } from './json.ts';
import { lazy } from './lazy.ts';
import type { LLMClient } from './model/llm.ts';
import { eventVersion } from './model/event.ts';
import { foldLog } from './model/replay.ts';
import { createLog } from './log/log.ts';
import { createMeta } from './log/meta.ts';
import type { Salvage } from './model/salvage.ts';
import { initialState, type SessionState, type ApprovalRule } from './model/state.ts';
import type { SessionStore, StoredSession } from './model/store.ts';
import { createReplica, type Replica } from './log/replica.ts';
import { browserPorts, type Ports } from './ports.ts';
import type { Budget, ToolSpec } from './model/settings.ts';
import type { AgentSession, ChatInput, RunOptions } from './session/session.ts';
import { unloadIdle } from './session/idle.ts';
import { createAgentSession, type OwnedSession } from './session/create-session.ts';
import type { Presenter } from './tools/checked-tool.ts';
import type { FormatRejection } from './tools/rejection.ts';
import { checkTool, type Tool } from './tools/tool.ts';

/** Options of `createAgent`. Only `client` is required. */
export interface AgentOptions extends ContextAgentOptions {
  /** Sends the requests to the model, for example `createChatCompletionsClient({ … })`. */
  readonly client: LLMClient;
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
  /** Makes the results of tools without a `present` presentable: see `createPresenter` of `brooklet/tools`. */
  readonly present?: Presenter;
  /**
   * Returns the text that the model reads as the result of a rejected call. Called once for each rejection; the text is stored with the
   * decision. If the function throws or returns an empty text, the model reads the default text.
   */
  readonly formatRejection?: FormatRejection;
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
  /** Clock, ids, timers and frames, for tests and other environments. Default: those of the browser. */
  readonly ports?: Partial<Ports>;
}

/** Sessions that share client, tools and instructions, and are otherwise independent of each other. */
export interface Agent {
  /** Creates an empty session in memory and returns its id. The session is stored in the background. */
  createSession(): string;
  /**
   * Returns the session from memory, else from the store. A run that a vanished tab left running is interrupted. A session whose log cannot
   * be read in full is read-only: its methods throw `SESSION_READ_ONLY`, and `getStorage()` contains the reason.
   *
   * Rejects with `SESSION_NOT_FOUND`, or with the `AgentError` of the store.
   */
  openSession(sessionId: string): Promise<AgentSession>;
  /** Returns the session if it is in memory, else `undefined`. */
  getSession(sessionId: string): AgentSession | undefined;
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
  chat(sessionId: string, input: string | ChatInput, options?: ChatOptions): Observable<ChatOutput>;
  /** Cancels the run of a session in memory: see `AgentSession.cancel`. */
  cancel(sessionId: string): void;
  /**
   * Adds a tool from the next request on, in the place of an earlier tool of the same name.
   *
   * @throws AgentError `INVALID_CONFIG` for an object that `defineTool` did not make
   */
  addTool(tool: Tool): void;
  /**
   * Removes a tool from the next request on; a call of the tool that waits for approval cannot run any more. Returns whether the agent had
   * the tool.
   */
  removeTool(name: string): boolean;
  /** Resolves with the approval rules for all sessions of the agent. Rejects with the `AgentError` of the store. */
  listApprovalRules(): Promise<readonly ApprovalRule[]>;
  /** Removes the approval rule of a tool for all sessions of the agent. Rejects with the `AgentError` of the store. */
  revokeApprovalRule(toolName: string): Promise<void>;
  /** The store that was passed to `createAgent`. */
  readonly store: SessionStore | undefined;
}

const loadDeferred = lazy(() => import('./model/deferred.ts'));

/**
 * Creates an agent: sessions that share one client, one set of tools and one system prompt. No request is sent until a message is sent.
 *
 *     const agent = createAgent({
 *       client: createChatCompletionsClient({ baseURL: 'https://api.example.com/v1', apiKey, model: 'example-1' }),
 *       instructions: 'Answer briefly.',
 *       tools: [clockTool()],
 *       store: createIndexedDBStore(),
 *     });
 *     const session = await agent.openSession(agent.createSession());
 *     session.messages$.subscribe((messages) => console.log(messages.at(-1)));
 *     const { outcome } = await session.send('What time is it?');
 *
 * @throws AgentError `INVALID_CONFIG` without a client, for two tools of the same name, and for a tool that `defineTool` did not make
 */
export function createAgent(options: AgentOptions): Agent {
  const {
    client,
    store,
    instructions,
    maxMessages = options.capacity,
    maxSteps = 10,
    budget,
    stopWhen,
    formatRejection,
  } = options;
  const ports: Ports = { ...browserPorts, ...options.ports };
  const tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  const { name: agentName = '' } = options;
  const meta = store?.meta ?? createMeta();
  const approvalRules = lazy(async () => {
    const { createApprovalRules } = await import('./session/decisions.ts');
    return createApprovalRules(meta, agentName);
  });
  const sessions = new Map<string, OwnedSession>();
  const opening = new Map<string, Promise<AgentSession>>();
  const removing = new Map<string, Promise<unknown>>();

  if (typeof client?.sendRequest !== 'function')
    fail('INVALID_CONFIG', 'The agent has no client: pass `client`, for example createChatCompletionsClient({ … }).');
  for (const tool of tools.values()) checkTool(tool);
  if (tools.size !== (options.tools?.length ?? 0))
    fail('INVALID_CONFIG', 'Two tools of the agent have the same name: rename one of them.');

  /** Invariant: the same array for as long as the tools are the same, so that values derived from the array are cached by its identity. */
  let specs: readonly ToolSpec[] | undefined;
  const toolSpecs = (): readonly ToolSpec[] =>
    (specs ??= Array.from(tools.values(), ({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    })));
  const immutable = toImmutable(instructions, options.presets);
  const context = createLazyContext({ ...options, immutable, maxMessages, toolSpecs, ports });

  function toRequest(state: SessionState, run: RunOptions, runContext: RunContext): PreparedRequest {
    const { maxTokens, temperature, output }: RunOptions = { ...options, ...run };
    // The agent's model and parameters belong to the agent's own client.
    const { model, providerParams }: RunOptions = run.client ? {} : options;
    return prepareRequest(state, {
      immutable,
      tools: toolSpecs(),
      model: run.model ?? model,
      maxTokens,
      temperature,
      output,
      providerParams: { ...providerParams, ...run.providerParams },
      maxMessages,
      assembled: runContext.assemble(state),
    });
  }

  /** Creates a session in memory from its state after the last stored event. */
  function load(start: SessionState, damage?: AgentError): OwnedSession {
    const keeper = damage ? undefined : store;
    const log = createLog(start, ports, (event) => replica.add(event), options.throttle);
    const replica: Replica = createReplica({ log, store: keeper, damage, ports });
    if (start.seq === 0) log.append({ type: 'session.started', sessionId: start.id });
    const session = createAgentSession({
      log,
      replica,
      store: keeper,
      ports,
      client,
      tools,
      present: options.present,
      meta,
      agentName,
      formatRejection,
      toRequest,
      policy: { maxSteps, budget, stopWhen, tools },
      context,
      onGone: () => close(start.id),
    });
    sessions.set(start.id, session);
    return session;
  }

  async function read(sessionId: string): Promise<AgentSession> {
    await removing.get(sessionId)?.catch(() => {});
    const stored = (await store?.read(sessionId)) ?? notFound(sessionId);
    const { state, damage } = await toState(sessionId, stored);
    return sessions.get(sessionId) ?? load(state, damage);
  }

  /** Closes a session and removes it from memory. Returns whether the session was in memory. */
  function close(sessionId: string): boolean {
    const session = sessions.get(sessionId);
    // Deleted first, so that subscribers that are notified of the end do not find the session any more.
    sessions.delete(sessionId);
    session?.close();
    return session !== undefined;
  }

  const { idleTimeout } = options;
  if (store !== undefined && idleTimeout !== undefined) unloadIdle(sessions, close, idleTimeout, ports);

  async function openSession(sessionId: string): Promise<AgentSession> {
    const session = sessions.get(sessionId) ?? opening.get(sessionId);
    if (session !== undefined) return session;
    const reading = read(sessionId).finally(() => opening.delete(sessionId));
    opening.set(sessionId, reading);
    return reading;
  }

  return {
    store,
    createSession: () => load(initialState(ports.id())).id,
    openSession,
    getSession: (sessionId) => sessions.get(sessionId),
    removeSession(sessionId) {
      const wasHere = close(sessionId);
      const removal = store?.remove(sessionId).finally(() => removing.delete(sessionId));
      removal?.catch(() => {});
      if (removal) removing.set(sessionId, removal);
      return wasHere;
    },
    removed: async (sessionId) => void (await removing.get(sessionId)),
    async restoreSession(sessionId) {
      await removing.get(sessionId)?.catch(() => {});
      return (await store?.restore?.(sessionId)) ?? false;
    },
    async forkSession(sessionId, { messageId } = {}) {
      const { fork } = await loadDeferred();
      const { getState } = await openSession(sessionId);
      const { write, state } = fork(getState(), messageId, { id: ports.id(), now: ports.now() });
      await store?.write(write);
      return load(state).id;
    },
    chat: (sessionId, input, chatOptions = {}) =>
      chat(() => sessions.get(sessionId) ?? notFound(sessionId), input, chatOptions),
    cancel: (sessionId) => sessions.get(sessionId)?.cancel(),
    addTool(tool) {
      checkTool(tool);
      tools.set(tool.name, tool);
      specs = undefined;
    },
    removeTool(name) {
      specs = undefined;
      return tools.delete(name);
    },
    listApprovalRules: async () => (await approvalRules()).list(),
    revokeApprovalRule: async (toolName) => (await approvalRules()).revoke(toolName),
  };
}

/** Reduces a log to a state. The code for logs of another version and for damaged logs is loaded only when needed. */
async function toState(sessionId: string, stored: StoredSession): Promise<Salvage> {
  const { events, damage } = stored;
  if (damage === undefined && events.every(({ v }) => v === eventVersion)) {
    try {
      return { state: foldLog(sessionId, events) };
    } catch {
      // A log that passed the store's checks may still be malformed.
    }
  }
  return (await loadDeferred()).salvage(sessionId, stored);
}

function notFound(sessionId: string): never {
  return fail('SESSION_NOT_FOUND', `There is no session ${sessionId}: create or open it first.`);
}
