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
  readonly client: LLMClient;
  /** Default: the client's own. */
  readonly model?: string;
  readonly tools?: readonly Tool[];
  /** The system prompt: first in every request. */
  readonly instructions?: string;
  /** Where sessions are kept. Default: nowhere; they live as long as the agent. */
  readonly store?: SessionStore;
  /** Keeps apart what several agents of one page remember, e.g. what a person allowed once for all. Default: empty. */
  readonly name?: string;
  /** Requests to the model a run may make before it ends with `limit`. Default 10. */
  readonly maxSteps?: number;
  /** What a run may cost before it ends with `limit`. Default: what it likes. */
  readonly budget?: Budget;
  /** Looked at before each request but the first: `true` ends the run with `limit`. */
  readonly stopWhen?: (state: SessionState) => boolean;
  /** Makes the results of tools presentable that have no `present` of their own: see `createPresenter`. */
  readonly present?: Presenter;
  /**
   * What the model reads as the result of a rejected call, in words of your own; called once, for the text is kept with the decision.
   * Where it throws, or gives no text, the usual words stand.
   */
  readonly formatRejection?: FormatRejection;
  /** Messages the model gets to see at most, beside those of the system; older whole turns are left out. Default: all. */
  readonly maxMessages?: number;
  /** Seed 000's name of `maxMessages`. */
  readonly capacity?: number;
  readonly temperature?: number;
  readonly providerParams?: JsonObject;
  /**
   * ms between two looks at a text that streams; 0 for every frame. Default: every frame; every other one where text comes faster
   * than anybody reads (1,000 characters a second), fewer where it comes faster still; and less often where drawing is dear (a long
   * history without a virtual list), so that it takes a fifth of the time at most.
   */
  readonly throttle?: number;
  /**
   * ms after which a session leaves the memory, where nothing runs or waits in it, nobody subscribes to it and all of it is in the
   * store; `openSession` brings it back. Default: never. Without a store nothing leaves.
   */
  readonly idleTimeout?: number;
  readonly ports?: Partial<Ports>;
}

/** Many sessions with the same client, tools and instructions; they do not touch each other. */
export interface Agent {
  /** Gives the new session's id at once; it is stored behind your back. */
  createSession(): string;
  /**
   * The session from memory, else from the store; what a vanished tab left open is closed first. Where what is stored cannot be
   * understood, it is read-only: its verbs throw `SESSION_READ_ONLY`, and `getStorage()` says why.
   *
   * @throws AgentError (as rejection) `SESSION_NOT_FOUND`, or what the store says
   */
  openSession(sessionId: string): Promise<AgentSession>;
  /** The session if it is in memory. */
  getSession(sessionId: string): AgentSession | undefined;
  /** Cancels the session's run and removes it from memory and store. Gives whether it was in memory. */
  removeSession(sessionId: string): boolean;
  /** Settles when the store has done what `removeSession` asked for; rejects with the store's `AgentError`: then it is still there. */
  removed(sessionId: string): Promise<void>;
  /** Takes a removal back, in whichever tab it was. Gives whether the store still had the session. */
  restoreSession(sessionId: string): Promise<boolean>;
  /**
   * A new session that begins with what this one shows, up to the given message or to its end. Gives its id.
   *
   * @throws AgentError (as rejection) `MESSAGE_NOT_FOUND`, or what `openSession` or the store says
   */
  forkSession(sessionId: string, options?: { readonly messageId?: string }): Promise<string>;
  /**
   * Asks the agent. Cold: one run starts with the first subscription, however many follow, and is cancelled when the last one leaves.
   * Stays open while a call waits for approval. Errors with `AgentError` when the run fails or is interrupted.
   */
  chat(sessionId: string, input: string | ChatInput, options?: ChatOptions): Observable<ChatOutput>;
  cancel(sessionId: string): void;
  /** From the next request on the model may call it. In the place of an earlier one of the same name. */
  addTool(tool: Tool): void;
  /** From the next request on the model is not told of it; a call that waits for a person cannot run any more. Gives whether it was there. */
  removeTool(name: string): boolean;
  /** What was decided once for all sessions of the agent. */
  listApprovalRules(): Promise<readonly ApprovalRule[]>;
  revokeApprovalRule(toolName: string): Promise<void>;
  /** As given to `createAgent`. */
  readonly store: SessionStore | undefined;
}

const loadDeferred = lazy(() => import('./model/deferred.ts'));

/**
 * Creates an agent: sessions that share one client, one set of tools and one instruction. Nothing is requested until a message is sent.
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
 * Without `store` the sessions live as long as the agent.
 *
 * @throws AgentError `INVALID_CONFIG` if two tools have the same name
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
  if (tools.size !== (options.tools?.length ?? 0)) fail('INVALID_CONFIG', 'Two tools of the agent have the same name.');

  /** Invariant: the same array for as long as the tools are the same, so that what is computed of it is computed once. */
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

  /** Brings a session into memory, as it was after its last stored event. */
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

  /** Gives whether the session was in memory. */
  function close(sessionId: string): boolean {
    const session = sessions.get(sessionId);
    // Whoever is told that the session ends finds it gone.
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

/** Log → state. What is needed only for some logs is loaded only for those. */
async function toState(sessionId: string, stored: StoredSession): Promise<Salvage> {
  const { events, damage } = stored;
  if (damage === undefined && events.every(({ v }) => v === eventVersion)) {
    try {
      return { state: foldLog(sessionId, events) };
    } catch {
      // What passed the store's look at its rows may still be nonsense.
    }
  }
  return (await loadDeferred()).salvage(sessionId, stored);
}

function notFound(sessionId: string): never {
  return fail('SESSION_NOT_FOUND', `There is no session ${sessionId}.`);
}
