import { type Agent, type AgentError, toAgentError } from 'brooklet';
import { connectMCP, createMCPSignIn, type MCPServer, type MCPTool, MCPError } from 'brooklet/mcp';
import { BehaviorSubject, filter, firstValueFrom, fromEvent, map, race, timer } from 'rxjs';
import { vault } from '../keys/vault.ts';
import { considerHarmless } from '../trust/holding.ts';
import { judge } from './judge.ts';
import { offerTools } from './offerTools.ts';
import { serverNameOf } from './serverNameOf.ts';
import { servers, type StoredServer } from './servers.ts';
import { forgetSignIn, noteSignIn, notedSignIn, signedIn$ } from './signInNote.ts';
import { vaultTokens } from './vaultTokens.ts';

type ConnectingAgent = Pick<Agent, 'addTool' | 'removeTool' | 'store'>;

/** The connection of this tab to a server. */
export type ServerState =
  | { readonly is: 'off' | 'connecting' }
  /** `address`: where the user signs in, if the browser has blocked the window. */
  | { readonly is: 'signing-in'; readonly address?: string; readonly cancel: () => void }
  | { readonly is: 'connected'; readonly server: MCPServer }
  /** `server`: a connection that failed later, whose tools are still offered. */
  | { readonly is: 'failed'; readonly error: AgentError; readonly server?: MCPServer };

interface Connection {
  readonly stored: StoredServer;
  /** Ends the connection, and removes the tools. */
  readonly close: () => void;
}

const off: ServerState = { is: 'off' };
const states = new BehaviorSubject<ReadonlyMap<string, ServerState>>(new Map());
const connections = new Map<string, Connection>();
let agent: ConnectingAgent | undefined;

/** The state of each server, by its name. Emits the current value on subscription. */
export const states$ = states.asObservable();
export const getStates = (): ReadonlyMap<string, ServerState> => states.value;
export const stateOf = (name: string): ServerState => states.value.get(name) ?? off;

function setState(name: string, state: ServerState): void {
  states.next(new Map(states.value).set(name, state));
}

let onBlocked = (_address: string): void => {};
const signIns = createMCPSignIn({
  redirectUri: `${location.origin}${location.pathname}`,
  clientName: 'Brooklet Studio',
  tokens: vaultTokens,
  onBlocked: (address) => onBlocked(address),
});

/** Connects this tab to the servers of the user, and follows their list. The second call changes nothing. */
export function start(connectingAgent: ConnectingAgent): void {
  if (agent) return;
  agent = connectingAgent;
  considerHarmless(({ name }) => isReadOnly(name));
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
  for (const name of states.value.keys())
    if (!list.some((stored) => stored.name === name))
      states.next(new Map([...states.value].filter(([key]) => key !== name)));
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
      setState(name, off);
    },
  });
  setState(name, { is: 'connecting' });
  connectMCP({
    url,
    name,
    auth: signIns,
    trusted: isTrusted,
    memory: agent?.store?.meta,
    signal: closing.signal,
    needsApproval: (definition) => {
      const current = servers.get().find((server) => server.name === name);
      return current && judge(current, { definition }).decision !== 'allow';
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
  const stored = servers.get().find((server) => server.name === name);
  if (stored?.isOn) open(stored);
}

function retryWhere(isCured: (error: AgentError) => boolean): void {
  for (const [name, state] of states.value) if (state.is === 'failed' && isCured(state.error)) reconnect(name);
}

/** Lets the user sign in. Call it by a click: the browser blocks other windows. */
export function signIn(name: string): void {
  const stored = servers.get().find((server) => server.name === name);
  if (!stored) return;
  const before = stateOf(name);
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort();
  onBlocked = (address) => setState(name, { is: 'signing-in', address, cancel });
  setState(name, { is: 'signing-in', cancel });
  noteSignIn(name);
  signIns.signIn(stored.url, { signal: cancelling.signal }).then(
    () => {
      setState(name, before);
      reconnect(name);
    },
    (thrown: unknown) => {
      forgetSignIn(name);
      setState(name, cancelling.signal.aborted ? before : { ...before, is: 'failed', error: toAgentError(thrown) });
    },
  );
}

/** Forgets the token of a server. Never rejects: a token that is locked stays until the keys are erased. */
export async function signOut(url: string): Promise<void> {
  await signIns.signOut(url).catch(() => {});
}

/** Whether the user can sign in to make an error go away. */
export function isSignIn(error: AgentError): boolean {
  return error instanceof MCPError && error.problem === 'sign-in';
}

/** Returns a tool of a connected server, by the name that the model calls. */
export function findTool(toolName: string): MCPTool | undefined {
  const state = stateOf(serverNameOf(toolName) ?? '');
  const server = 'server' in state ? state.server : undefined;
  return server?.getTools().find(({ tool }) => tool.name === toolName);
}

/** Whether the user believes the server that a tool only reads. */
function isReadOnly(toolName: string): boolean {
  const stored = servers.get().find(({ name }) => name === serverNameOf(toolName));
  const { definition } = findTool(toolName) ?? {};
  return stored?.isTrusted === true && definition?.annotations.readOnlyHint === true;
}

/** ms that a message waits for servers that are being connected. */
const patience = 5_000;

/** Resolves when no server is being connected any more, or after a while. */
export async function settled(): Promise<void> {
  const done = states$.pipe(filter((all) => [...all.values()].every(({ is }) => is !== 'connecting')));
  await firstValueFrom(race(done, timer(patience)));
}

/** Resolves when the server of a tool is connected. Rejects with the error of the server. */
export async function serverReady(toolName: string): Promise<void> {
  const name = serverNameOf(toolName);
  if (name === undefined || !connections.has(name)) return;
  const state = await firstValueFrom(
    states$.pipe(
      map((all) => all.get(name) ?? off),
      filter(({ is }) => is !== 'connecting'),
    ),
  );
  if (state.is === 'failed' && !state.server) throw state.error;
}
