import type { OpenOptions, SessionSetup } from '../core/agent/agent-options.ts';
import { createAgent } from '../core/agent/create-agent.ts';
import { notifyError } from '../core/caught-error.ts';
import { fail, fromErrorInfo } from '../core/error.ts';
import { when } from '../core/log/current.ts';
import { named } from '../core/model/shapes/named.ts';
import { readInput } from '../core/model/shapes/read-input.ts';
import { flag } from '../core/model/shapes/shape.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import { noteRetry } from '../core/retries.ts';
import { chat } from '../core/session/chat.ts';
import type { AgentSession } from '../core/session/session.ts';
import { checkTool, type Tool } from '../core/tools/tool.ts';
import { type ConnectedSession, createConnectedSession } from './connected-session.ts';
import type { ConnectedAgent, DisconnectOptions } from './connected-agent.ts';
import { type ConnectOptions, readConnectOptions } from './connect-options.ts';
import { type Connection, createConnection, type WorkerLike } from './connection.ts';
import { createPagePrompts } from './held-prompts.ts';
import { nameWorker, type WorkerNaming } from './naming.ts';
import { keyOfPage, type PageKey } from './page-key.ts';
import { createToolVerbs, toOffer } from './offered-tools.ts';
import type { Presence } from './presence.ts';
import type { PageVerbs } from './protocol.ts';
import { readShared, wrapped } from './shared-options.ts';
import { sharedKeyOf } from './shared-vault.ts';
import { announceSignOut, listenForSignOut } from './sign-out.ts';

export interface ConnectEnv {
  readonly presence: Presence | undefined;
  /** Whether the browser knows `extendedLifetime`. */
  readonly isExtended: boolean;
  readonly ports?: Partial<Ports> | undefined;
}

/** As `connectAgent`, in a given environment. */
export function createConnectedAgent(
  connect: (options: WorkerNaming) => WorkerLike,
  given: ConnectOptions,
  { presence, isExtended, ports: env }: ConnectEnv,
): ConnectedAgent {
  const { create, name: group = 'brooklet', build, keys = {}, tools = [], onError } = readConnectOptions(given);
  const keyOf = (name: string): PageKey => keyOfPage(keys, name);
  const { vault, wrapTool, ...its } = readShared(create, { where: 'page', keyOf });
  const sharedKey = vault && sharedKeyOf(vault);
  const ports: Ports = { ...browserPorts, ...its.ports, ...env };
  const pageTools = new Map(tools.map((tool) => [tool.name, tool]));

  function report(...[error, source]: Parameters<NonNullable<ConnectOptions['onError']>>): void {
    notifyError(its.onError, error, source);
    notifyError(onError, error, source);
  }

  const local = createAgent({
    ...its,
    tools: [...(its.tools ?? []), ...tools.map((tool) => wrapped(tool, wrapTool))],
    onError: report,
    ports: { ...its.ports, ...env, drives: () => connection.getStatus().state === 'page' },
  });

  const prompts = createPagePrompts(local);
  const sessions = new Map<string, { readonly local: AgentSession; readonly connected: ConnectedSession }>();
  const instructions = new Map<string, string>();
  const retries = new Map<string, () => void>();

  const verbs: Omit<PageVerbs, 'waits'> = {
    ...createToolVerbs(pageTools, report),
    key: ({ name, origin }) => keyOf(name)(origin),
    async unlock() {
      if (sharedKey?.getHanded() === undefined) await sharedKey?.request();
      return sharedKey?.getHanded() ?? null;
    },
    error({ error, source }) {
      notifyError(onError, fromErrorInfo(error), source);
      return null;
    },
    held(held) {
      prompts.note(held);
      return null;
    },
    retrying({ sessionId, retry }) {
      retries.get(sessionId)?.();
      retries.delete(sessionId);
      if (retry) retries.set(sessionId, noteRetry({ ...retry, error: fromErrorInfo(retry.error) }));
      return null;
    },
  };

  const naming = nameWorker(group, build, isExtended);
  let isShared = true;
  const connection: Connection = createConnection({
    connect() {
      const worker = connect(naming);
      isShared = 'port' in worker;
      return worker;
    },
    getOutlives: () => (!isShared ? 'nothing' : isExtended ? 'pages' : 'page'),
    group,
    keys,
    hasVault: sharedKey !== undefined,
    getOffers: () => Array.from(pageTools.values(), toOffer),
    verbs,
    // Without a store there is nothing that the page could follow.
    presence: its.store && presence,
    reason: its.store ? 'no-locks' : 'no-store',
    ports,
    onLost,
  });

  /** The worker has ended in the midst of its runs. With `autoResume` they continue in the next one. */
  function onLost(): void {
    for (const end of retries.values()) end();
    retries.clear();
    if (!its.autoResume) return;
    for (const { local, connected } of sessions.values()) {
      const { run } = local.getState();
      if (run === undefined || run.outcome !== undefined || local.getStatus() !== 'running') continue;
      // Every tab closes the run of a vanished owner.
      void when(local.state$, (state) => state.run?.id !== run.id || state.run.outcome !== undefined).then(() => {
        if (local.getState().run?.outcome === 'interrupted') connected.resumeCut(run.id);
      });
    }
  }

  function connected(session: AgentSession): ConnectedSession {
    const { id } = session;
    const known = sessions.get(id);
    if (known?.local === session) return known.connected;
    const made = createConnectedSession(session, { connection, ports, instructions: instructions.get(id) });
    sessions.set(id, { local: session, connected: made });
    session.events$.subscribe({ complete: () => sessions.get(id)?.local === session && sessions.delete(id) });
    watchWaiting(session);
    return made;
  }

  /** The worker lets the calls of a session expire that waits: it has to have it open. */
  function watchWaiting({ id, getStatus, getState }: AgentSession): void {
    if (getStatus() === 'waiting') connection.channel()?.tell('watch', { sessionId: id, seq: getState().seq });
  }

  connection.status$.subscribe(({ state }) => {
    if (state !== 'worker') return prompts.note({});
    for (const { local } of sessions.values()) watchWaiting(local);
    watchPlanned();
  });

  /** The worker reads the list from its store, which is that of the page. */
  function watchPlanned(): void {
    if (local.getSchedules().length > 0) connection.channel()?.tell('planned', null);
  }

  local.schedules$.subscribe(watchPlanned);

  function find(sessionId: string): ConnectedSession | undefined {
    const session = local.getSession(sessionId);
    return session && connected(session);
  }

  function checkSetup(setup: SessionSetup): void {
    if (setup.tools?.length)
      fail('INVALID_CONFIG', 'A session of a connected agent has no tools of its own: pass them to connectAgent.');
  }

  function checkScope(sessionId: string | undefined): void {
    if (sessionId !== undefined)
      fail('INVALID_CONFIG', 'A session of a connected agent has no tools of its own: add the tool to the agent.');
  }

  /** Ends the runs that this page drives. */
  function endRuns(): void {
    if (connection.getStatus().state === 'page') for (const { local } of sessions.values()) local.cancel();
  }

  const stopSignOut = listenForSignOut(group, endRuns);
  // Before the sessions, which store what they have when the page is left.
  const stopHide = ports.onHide((leaving) => {
    if (leaving) for (const { connected } of sessions.values()) connected.keepUnsent();
  });

  async function disconnect(options: DisconnectOptions = {}): Promise<void> {
    const { everywhere = false } = named(options, { everywhere: true }, 'disconnect');
    readInput(everywhere, flag, '`everywhere`');
    stopSignOut();
    stopHide();
    if (everywhere) {
      const orderId = ports.id();
      announceSignOut(group, orderId);
      endRuns();
      await connection.channel()?.ask('signOut', orderId);
    }
    connection.disconnect();
    prompts.close();
    await local.dispose();
  }

  const openSession = async (sessionId: string, setup: OpenOptions = {}): Promise<ConnectedSession> => {
    checkSetup(setup);
    if (setup.instructions !== undefined) instructions.set(sessionId, setup.instructions);
    return connected(await local.openSession(sessionId, setup));
  };

  return {
    ...local,
    setClient: () =>
      fail(
        'INVALID_CONFIG',
        'The client of a connected agent is the one that `create` makes, in the worker and in each page.',
      ),
    schedules$: prompts.schedules$,
    getSchedules: prompts.getSchedules,
    host$: connection.status$,
    getHost: connection.getStatus,
    createSession(setup = {}) {
      checkSetup(setup);
      const id = local.createSession(setup);
      if (setup.instructions !== undefined) instructions.set(id, setup.instructions);
      return id;
    },
    openSession,
    getSession: find,
    chat: (sessionId, input, options = {}) =>
      chat(
        () =>
          find(sessionId) ??
          fail('SESSION_NOT_FOUND', `Session ${sessionId} is not in memory: call openSession first.`),
        input,
        options,
      ),
    cancel: (sessionId) => find(sessionId)?.cancel(),
    addTool(tool: Tool, sessionId) {
      checkScope(sessionId);
      checkTool(tool);
      local.addTool(wrapped(tool, wrapTool));
      pageTools.set(tool.name, tool);
      offer();
    },
    removeTool(name, sessionId) {
      checkScope(sessionId);
      const wasHere = local.removeTool(name);
      if (pageTools.delete(name)) offer();
      return wasHere;
    },
    disconnect,
    dispose: () => disconnect(),
    [Symbol.asyncDispose]: () => disconnect(),
  };

  function offer(): void {
    connection.channel()?.tell('offer', Array.from(pageTools.values(), toOffer));
  }
}
