import { named } from '../model/shapes/named.ts';
import { fail } from '../error.ts';
import { createStoreLink } from '../log/create-store-link.ts';
import { createLog } from '../log/log.ts';
import { createMeta } from '../log/meta.ts';
import type { CallPlace } from '../model/event.ts';
import type { Salvage } from '../model/salvage.ts';
import { word } from '../model/shapes/fields.ts';
import { forkInput, sessionInput } from '../model/shapes/input-shape.ts';
import { readInput } from '../model/shapes/read-input.ts';
import { initialState } from '../model/state.ts';
import { fork } from '../model/snapshot.ts';
import type { SessionWrite } from '../model/store.ts';
import type { StoreLink } from '../log/store-link.ts';
import { defined } from '../json.ts';
import { browserPorts, type Ports } from '../ports.ts';
import type { FindMember } from '../session/account.ts';
import { chat } from '../session/chat.ts';
import { unloadIdle } from '../session/idle.ts';
import { createAgentSession, type OwnedSession } from '../session/create-session.ts';
import type { SessionEnv } from '../session/session-env.ts';
import { createApprovalRules } from '../tools/approval-rules.ts';
import { checkTakeover } from '../tools/check-takeover.ts';
import { checkTool, type Tool } from '../tools/tool.ts';
import type { Agent } from './agent.ts';
import type { AgentOptions, SessionSetup } from './agent-options.ts';
import { checkAgentOptions } from './check-options.ts';
import { createClientChoice } from './client-choice.ts';
import { createAgentStreams } from './agent-streams.ts';
import { createFamilies } from './families.ts';
import { createHolders, type Held } from './handoffs.ts';
import { toKind } from './kind.ts';
import { addKnown } from './known-agents.ts';
import { createRemovals } from './removals.ts';
import { createTreeRemoval } from './remove-tree.ts';
import { reportStorage } from './report-storage.ts';
import { createStoredPending } from './stored-pending.ts';
import { byName, type SessionConfig, sessionConfigs } from './session-config.ts';
import { createOpening } from './open-sessions.ts';
import { createSchedules } from './schedules.ts';
import { readAgentOptions, readSetup, sessionNames } from './read-options.ts';
import { toAutoResumeRule } from './auto-resume-rule.ts';

/**
 * Creates an agent: sessions that share one client, one set of tools and one system prompt. No request is sent until a message is sent. The
 * client may be chosen later: `setClient`.
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
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, for a model without a client, for two tools of the same name,
 * for a tool that `defineTool` did not make, for a store without the verbs of `SessionStore`, and for `providerParams` or `presets` that JSON
 * cannot represent
 */
export function createAgent<const Tools extends readonly Tool[]>(
  options: Omit<AgentOptions, 'tools'> & { readonly tools: Tools },
): Agent<Tools[number]>;
export function createAgent(options: AgentOptions): Agent;
export function createAgent(given: AgentOptions): Agent {
  const options = readAgentOptions(given);
  const { store, tools = [], name: agentName = '', onError, idleTimeout } = options;
  const autoResume = toAutoResumeRule(options.autoResume);
  const ports: Ports = { ...browserPorts, ...options.ports };
  const meta = store?.meta ?? createMeta();
  const approvalRules = createApprovalRules(meta, agentName);
  const sessions = new Map<string, OwnedSession>();
  const removals = createRemovals(store);

  const agentTools = byName(tools);
  if (agentTools.size < tools.length) fail('INVALID_CONFIG', 'Two tools have the same name: rename one.');

  const configs = new Map<string, SessionConfig>();
  const holders = new Map<string, Held>();
  const stored = createStoredPending({
    store,
    ports,
    isInMemory: (sessionId) => sessions.has(sessionId),
    isRemoving: removals.isUnderWay,
    onChange: () => streams.noteSessions(),
  });
  const streams = createAgentStreams(sessions, stored);
  let isDisposed = false;
  const choice = createClientChoice(options, checkAgentOptions);
  const createConfig = sessionConfigs(options, agentTools, ports, choice);

  const kind = toKind(options, choice);
  const find: FindMember = (id) => {
    const session = sessions.get(id);
    return session && { getState: session.getState, budget: (configs.get(id)?.kind ?? kind).policy.budget };
  };
  const families = createFamilies({
    sessions,
    store,
    find,
    toolOf: (id, name) => holders.get(id)?.findTool(name),
    openSession: (id) => openSession(id),
    open: (place, create) => openChild(place, create),
    unload: (id) => void unload(id),
  });

  const configOf = ({ instructions, tools: own = [] }: SessionSetup): SessionConfig =>
    createConfig(byName(own), instructions);

  /** Sets, or without a tool removes, a tool of the agent or a session's own one. Returns whether there was one to remove. */
  function change(name: string, sessionId?: string, tool?: Tool): boolean {
    const all = sessionId === undefined ? agentTools : (configs.get(sessionId) ?? notOpen(sessionId)).own;
    const wasHere = tool ? !all.set(name, tool) : all.delete(name);
    for (const config of configs.values()) config.refresh(name);
    return wasHere;
  }

  function checkUsable(): void {
    if (isDisposed) fail('ABORTED', 'The agent is disposed of: create another one.');
  }

  /** Creates a session in memory from its state after the last stored event. @param last names the last stored write */
  function load(
    { state: start, damage }: Salvage,
    config: SessionConfig,
    last?: Pick<SessionWrite, 'writeId'>,
    path?: readonly CallPlace[],
  ): OwnedSession {
    checkUsable();
    const own = config.kind ?? kind;
    const keeper = damage ? undefined : store;
    const log = createLog(start, ports, (event) => link.add(event), options.throttle);
    const link: StoreLink = createStoreLink({ log, store: keeper, damage, last, ports });
    if (start.seq === 0) log.append({ type: 'session.started', sessionId: start.id, ...defined({ path }) });
    const held = createHolders({
      log,
      store,
      self: () => (config.kind ? undefined : agent),
      own: { config, kind: own },
    });
    const env: SessionEnv = {
      log,
      link,
      ports,
      ...own,
      ...held,
      get client() {
        return held.getClient();
      },
      meta,
      onError,
      policy: { ...own.policy, tools: held.tools },
      // The call continues the run of its session.
      autoResume: config.kind ? undefined : autoResume,
      store: keeper,
      tree: families.treeOf(log),
      onGone: () => unload(start.id, true),
      onClose: () => unload(start.id),
    };
    const session = createAgentSession(env);
    sessions.set(start.id, session);
    configs.set(start.id, config);
    holders.set(start.id, held);
    streams.follow(start.id, log.events$);
    families.follow(session, log.events$);
    streams.noteSessions();
    if (onError) reportStorage(start.id, link, onError);
    schedules.noteLoaded(session);
    return session;
  }

  const { openSession, openChild } = createOpening({
    options,
    kind,
    ports,
    sessions,
    removals,
    openByCall: families.openByCall,
    checkUsable,
    configOf,
    load,
  });

  const { events$ } = streams;
  const { wasRemoved } = removals;
  const { client$ } = choice;
  const schedules = createSchedules({
    store,
    meta,
    ports,
    agentName,
    events$,
    client$,
    openSession,
    wasRemoved,
    onError,
  });

  /** Removes a session from memory. Returns whether the session was in memory. */
  function unload(sessionId: string, isRemoved = false): boolean {
    const session = sessions.get(sessionId);
    // Deleted first, so that subscribers that are notified of the end do not find the session any more.
    sessions.delete(sessionId);
    configs.delete(sessionId);
    holders.delete(sessionId);
    stored.leave(sessionId, isRemoved ? undefined : session?.getState());
    session?.unload(isRemoved);
    streams.noteSessions();
    return session !== undefined;
  }

  // Without a store, no session may leave the memory.
  const stopUnloading =
    idleTimeout === undefined || store === undefined ? undefined : unloadIdle(sessions, unload, idleTimeout, ports);

  async function dispose(): Promise<void> {
    isDisposed = true;
    schedules.close();
    stopUnloading?.();
    const closing = Array.from(sessions.values(), (session) => session.close());
    await Promise.allSettled(closing);
    streams.close();
    choice.close();
    await Promise.all(closing);
  }

  const agent: Agent = {
    store,
    events$,
    pending$: streams.pending$,
    getPending: streams.getPending,
    ...schedules.verbs,
    createSession(given = {}) {
      const own = readSetup(given, options, sessionNames, 'createSession');
      const { id: givenId = ports.id(), metadata: data } = own;
      const { id, metadata } = readInput({ id: givenId, metadata: data }, sessionInput, 'The session');
      if (sessions.has(id)) fail('INVALID_INPUT', `There is a session ${id} already: pass another id or open it.`);
      const session = load({ state: initialState(id) }, configOf(own));
      removals.forget(id);
      if (metadata) session.setMetadata(metadata);
      return id;
    },
    openSession,
    getSession: (sessionId) => sessions.get(sessionId),
    ...createTreeRemoval({
      store,
      removals,
      childrenInMemory: (id) => sessions.get(id)?.getState().children ?? [],
      unload: (id) => unload(id, true),
      onChange: schedules.noteRemoved,
      onEnd(id) {
        stored.leave(id);
        streams.noteSessions();
      },
    }),
    async closeSession(sessionId) {
      const session = sessions.get(sessionId);
      await session?.close();
      return session !== undefined;
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
    removed: async (sessionId) => void (await removals.underWay(sessionId)),
    async forkSession(sessionId, given = {}) {
      named(given, { messageId: true }, 'forkSession', 'INVALID_INPUT');
      const { messageId } = readInput(given, forkInput, 'The options of the fork');
      const { getState } = await openSession(sessionId);
      const { write, state } = fork(getState(), messageId, { id: ports.id(), now: ports.now() });
      await store?.write(write);
      return load({ state }, configs.get(sessionId)?.copy() ?? configOf({}), write).id;
    },
    chat: (sessionId, input, chatOptions = {}) =>
      chat(() => sessions.get(sessionId) ?? notOpen(sessionId), input, chatOptions),
    setClient: choice.set,
    getClient: choice.get,
    client$,
    cancel: (sessionId) => sessions.get(sessionId)?.cancel(),
    addTool(tool, sessionId) {
      checkTool(tool);
      checkTakeover(tool, (configs.get(sessionId ?? '')?.tools ?? agentTools).get(tool.name));
      change(tool.name, sessionId, tool);
    },
    removeTool: (name, sessionId) => change(name, sessionId),
    listApprovalRules: async () => approvalRules.list(),
    async revokeApprovalRule(given) {
      const toolName = readInput(given, word, 'The name of the tool');
      return approvalRules.revoke(toolName);
    },
  };
  return addKnown(agent, { kind, store, createConfig: () => configOf({}) });
}

function notOpen(sessionId: string): never {
  return fail('SESSION_NOT_FOUND', `Session ${sessionId} is not in memory: call openSession first.`);
}
