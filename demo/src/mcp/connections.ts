import { type Agent, type AgentError, toAgentError } from 'brooklet';
import { connectMCP } from 'brooklet/mcp';
import { filter, fromEvent } from 'rxjs';
import { vault } from '../keys/vault.ts';
import { addHarmlessFilter } from '../trust/holding.ts';
import { auth } from './access.ts';
import { decisionFor } from './decisionFor.ts';
import { isReadOnly } from './findTool.ts';
import { offerTools } from './offerTools.ts';
import { findServer, servers, type StoredServer } from './servers.ts';
import { forgetSignIn, notedSignIn, signedIn$ } from './signInNote.ts';
import { getStates, setState, stateOf } from './states.ts';

export { settled } from './ready.ts';

type ConnectingAgent = Pick<Agent, 'addTool' | 'removeTool' | 'store'>;

interface Connection {
  readonly stored: StoredServer;
  /** Ends the connection, and removes the tools. */
  readonly close: () => void;
}

const connections = new Map<string, Connection>();
let agent: ConnectingAgent | undefined;

/** Connects this tab to the servers of the user, and follows their list. The second call changes nothing. */
export function start(connectingAgent: ConnectingAgent): void {
  if (agent) return;
  agent = connectingAgent;
  addHarmlessFilter(({ name }) => isReadOnly(name));
  servers.value$.subscribe(follow);
  fromEvent(window, 'online').subscribe(() => retryWhere(({ code }) => code === 'OFFLINE' || code === 'NETWORK_ERROR'));
  vault.state$
    .pipe(filter(({ status }) => status === 'open'))
    .subscribe(() => retryWhere(({ code }) => code === 'AUTHENTICATION_LOCKED'));
  // A sign-in that this tab began before it was reloaded.
  signedIn$.subscribe(() => {
    const name = notedSignIn();
    if (name !== undefined && stateOf(name).is === 'failed') reconnect(name);
  });
}

function follow(list: readonly StoredServer[]): void {
  const wanted = new Map(list.filter(({ isOn }) => isOn).map((stored) => [stored.name, stored]));
  for (const [name, { stored, close }] of connections) {
    const next = wanted.get(name);
    if (next?.url !== stored.url || next.isTrusted !== stored.isTrusted) close();
  }
  for (const name of getStates().keys()) if (!list.some((stored) => stored.name === name)) setState(name, undefined);
  for (const stored of wanted.values()) if (!connections.has(stored.name)) open(stored);
}

function open(stored: StoredServer): void {
  const { name, url, isTrusted } = stored;
  const closing = new AbortController();
  let undo: readonly (() => void)[] = [];
  connections.set(name, {
    stored,
    close() {
      connections.delete(name);
      closing.abort();
      for (const step of undo) step();
      setState(name, { is: 'off' });
    },
  });
  setState(name, { is: 'connecting' });
  connectMCP({
    url,
    name,
    auth,
    trusted: isTrusted,
    apps: true,
    memory: agent?.store?.meta,
    signal: closing.signal,
    needsApproval: (definition) => {
      const current = findServer(name);
      return current && decisionFor(current, { definition }).decision !== 'allow';
    },
  }).then(
    (server) => {
      if (closing.signal.aborted || !agent) return server.close();
      forgetSignIn(name);
      const removeTools = offerTools(agent, server);
      const subscription = server.status$.subscribe((status) => {
        if (status.state === 'failed') setState(name, { is: 'failed', error: status.error, server });
        if (status.state === 'connected') setState(name, { is: 'connected', server });
      });
      undo = [() => subscription.unsubscribe(), removeTools, server.close];
    },
    (thrown: unknown) => {
      if (!closing.signal.aborted) setState(name, { is: 'failed', error: toAgentError(thrown) });
    },
  );
}

/** Connects a server anew; a server that is connected lists its tools again. */
export function reconnect(name: string): void {
  const state = stateOf(name);
  if ('server' in state && state.server) return void state.server.tools().catch(() => {});
  connections.get(name)?.close();
  const stored = findServer(name);
  if (stored?.isOn) open(stored);
}

function retryWhere(isCured: (error: AgentError) => boolean): void {
  for (const [name, state] of getStates()) if (state.is === 'failed' && isCured(state.error)) reconnect(name);
}
