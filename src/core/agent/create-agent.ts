import { chat } from '../session/chat.ts';
import { createLazyContext, type RunContext } from '../context/lazy.ts';
import { prepareRequest, type PreparedRequest } from '../context/prepare-request.ts';
import { toImmutable } from '../context/visible-messages.ts';
import { type AgentError, fail } from '../error.ts';
import { lazy } from '../lazy.ts';
import { copyJson } from '../model/copy-json.ts';
import { eventVersion } from '../model/event.ts';
import { foldLog } from '../model/replay.ts';
import { createLog } from '../log/log.ts';
import { when } from '../log/current.ts';
import { createMeta } from '../log/meta.ts';
import type { Salvage } from '../model/salvage.ts';
import { messageInput } from '../model/shapes/input-shape.ts';
import { readInput } from '../model/shapes/read-input.ts';
import { initialState, type SessionState } from '../model/state.ts';
import { statusOf } from '../model/status.ts';
import type { StoredSession } from '../model/store.ts';
import type { Replica } from '../log/replica.ts';
import { browserPorts, type Ports } from '../ports.ts';
import type { ToolSpec } from '../model/settings.ts';
import type { AgentSession, RunOptions } from '../session/session.ts';
import { unloadIdle } from '../session/idle.ts';
import { replicationFor } from '../session/replication.ts';
import { createAgentSession, type OwnedSession } from '../session/create-session.ts';
import type { SessionEnv } from '../session/session-env.ts';
import { checkTool } from '../tools/tool.ts';
import type { Agent, AgentOptions } from './agent.ts';
import { checkAgentOptions } from './check-options.ts';

/** ms that opening a session waits at most for the end of a run that no tab drives. */
const longestRecovery = 1_000;

const loadDeferred = lazy(() => import('../model/deferred.ts'));

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
 * @throws AgentError `INVALID_CONFIG` without a client, for an option of a wrong type or out of its range, for two tools of the same name,
 * for a tool that `defineTool` did not make, for a store that `defineStore` did not make, and for `providerParams` or `presets` that JSON
 * cannot represent
 */
export function createAgent(options: AgentOptions): Agent {
  checkAgentOptions(options);
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
  for (const tool of options.tools ?? []) checkTool(tool);
  const tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  const { name: agentName = '' } = options;
  const meta = store?.meta ?? createMeta();
  const approvalRules = lazy(async () => {
    const { createApprovalRules } = await import('../session/decisions.ts');
    return createApprovalRules(meta, agentName);
  });
  const sessions = new Map<string, OwnedSession>();
  const opening = new Map<string, Promise<AgentSession>>();
  const removing = new Map<string, Promise<unknown>>();

  const { createReplica, createTabs } = replicationFor(store);
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
  const presets = options.presets?.map((preset) => readInput(preset, messageInput, 'A preset', 'INVALID_CONFIG'));
  const immutable = toImmutable(instructions, presets);
  const agentParams = options.providerParams && copyJson(options.providerParams, '`providerParams`', 'INVALID_CONFIG');
  const context = createLazyContext({ ...options, immutable, maxMessages, toolSpecs, ports });

  function toRequest(state: SessionState, run: RunOptions, runContext: RunContext): PreparedRequest {
    const { maxTokens, temperature, output }: RunOptions = { ...options, ...run };
    // The agent's model and parameters belong to the agent's own client.
    const model = run.model ?? (run.client ? undefined : options.model);
    return prepareRequest(state, {
      immutable,
      tools: toolSpecs(),
      model,
      maxTokens,
      temperature,
      output,
      toolChoice: run.toolChoice,
      providerParams: { ...(!run.client && agentParams), ...run.providerParams },
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
    const env: SessionEnv = {
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
    };
    const session = createAgentSession(env, createTabs);
    sessions.set(start.id, session);
    return session;
  }

  async function read(sessionId: string): Promise<AgentSession> {
    await removing.get(sessionId)?.catch(() => {});
    const stored = (await store?.read(sessionId)) ?? notFound(sessionId);
    const { state, damage } = await toState(sessionId, stored);
    const isLeft =
      statusOf(state) === 'running' && (await store?.locks?.isHeld?.(sessionId).catch(() => true)) === false;
    const session = sessions.get(sessionId) ?? load(state, damage);
    if (isLeft) await whenRecovered(session);
    return session;
  }

  /** Resolves when the run that a vanished tab left open is closed, or another tab has been faster, or after `longestRecovery`. */
  async function whenRecovered({ status$ }: AgentSession): Promise<void> {
    let cancelTimer = (): void => {};
    const late = new Promise<void>((resolve) => (cancelTimer = ports.delay(resolve, longestRecovery)));
    await Promise.race([when(status$, (status) => status !== 'running'), late]);
    cancelTimer();
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
