import { atMostEvery } from '../core/at-most-every.ts';
import { named } from '../core/model/shapes/named.ts';
import { AgentError, toAgentError } from '../core/error.ts';
import { toObject } from '../core/model/read-json.ts';
import { browserPorts } from '../core/ports.ts';
import { toAddress } from '../llm/transport/address.ts';
import { toServerName } from './names.ts';
import { getPrompt, listPrompts, listResources, readContents, readResource } from './offers.ts';
import { connectPeer } from './peer.ts';
import { createToolbox } from './toolbox.ts';
import type { MCPOptions, MCPServer, MCPStatus } from './types.ts';
import { createValue } from './value.ts';
import { statelessVersion, toCapabilities } from './versions.ts';
import type { MCPAuth, Wire } from './wire.ts';

/** ms between two lists of tools that follow from notifications of the server. */
const pauseOfLists = 1_000;

/**
 * Connects a page to an MCP server over streamable HTTP, and lists its tools. The tools work like those of `defineTool`; every call needs
 * approval unless the page trusts the server.
 *
 *     const server = await connectMCP({ url: 'https://mcp.example.com/mcp', memory: store.meta });
 *     server.addTo(agent);
 *
 * Rejects with `MCPError`, whose message says what the owner of the server, or the person, must do.
 *
 * @throws AgentError `INVALID_CONFIG` for a URL that is neither https nor http on this machine, for a name of other characters, and for a
 *   token that no header may contain
 */
export async function connectMCP(options: MCPOptions): Promise<MCPServer> {
  named(
    options,
    {
      url: true,
      name: true,
      auth: true,
      headers: true,
      trusted: true,
      needsApproval: true,
      filter: true,
      memory: true,
      timeout: true,
      maxBytes: true,
      apps: true,
      listen: true,
      signal: true,
      fetch: true,
      ports: true,
    },
    'connectMCP',
  );
  const closing = new AbortController();
  const wire = toWire(options, closing.signal);
  const { host } = wire;
  const name = options.name ?? toServerName(host);
  if (!/^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/.test(name) || name.length > 40)
    throw new AgentError(
      `${JSON.stringify(name)} is not a valid name of a server: pass \`name\`, of letters, digits, "-" and single "_", at most 40.`,
      { code: 'INVALID_CONFIG' },
    );
  const peer = await connectPeer(wire, options.signal);
  const status = createValue<MCPStatus>({ state: 'connected' });
  const toolbox = createToolbox({ options, peer, url: wire.url, asker: { name, host } });

  async function noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      if (status.get().state === 'failed') status.set({ state: 'connected' });
      return value;
    } catch (thrown) {
      const error = toAgentError(thrown, 'TOOL_FAILED');
      if (status.get().state !== 'closed') status.set({ state: 'failed', error });
      throw error;
    }
  }

  const list = (): ReturnType<MCPServer['tools']> => noting(async () => (await toolbox.list()).map(({ tool }) => tool));
  if (peer.capabilities.tools !== undefined) await list();

  const relisting = atMostEvery(pauseOfLists, () => void list().catch(() => {}), wire.ports);
  closing.signal.addEventListener('abort', relisting.stop);

  function onNotification(method: string): void {
    if (method === 'notifications/tools/list_changed') relisting.ask();
  }
  const hasNews = toObject(peer.capabilities.tools).listChanged === true;
  // A server with a session may ask over this connection, too.
  const mayAsk = peer.version !== statelessVersion;
  if ((hasNews || mayAsk) && options.listen !== false) peer.listen(onNotification, closing.signal).catch(() => {});

  return {
    name,
    url: wire.url,
    version: peer.version,
    serverInfo: peer.serverInfo,
    instructions: peer.instructions,
    tools: list,
    tools$: toolbox.tools.stream$,
    getTools: toolbox.tools.get,
    getLeftOut: toolbox.getLeftOut,
    addTo: toolbox.addTo,
    prompts: () => noting(() => listPrompts(peer, host)),
    getPrompt: (prompt, input = {}) => noting(() => getPrompt(peer, host, prompt, input)),
    resources: () => noting(() => listResources(peer, host)),
    readContents: (uri) => noting(() => readContents(peer, host, uri)),
    readResource: (uri) => noting(() => readResource(peer, host, uri)),
    status$: status.stream$,
    getStatus: status.get,
    close() {
      if (closing.signal.aborted) return;
      closing.abort(new AgentError(`This page closed the connection to ${host}.`, { code: 'ABORTED' }));
      peer.close();
      status.set({ state: 'closed' });
    },
  };
}

function toWire(options: MCPOptions, closing: AbortSignal): Wire {
  // Unlike that of a model, the address of an endpoint may have a query.
  const { host, origin } = toAddress(options.url.replace(/\?[^#]*/, ''), '');
  return {
    url: new URL(options.url).href,
    host,
    origin,
    // A custom `fetch` may be a method.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    auth: toAuth(options.auth, host),
    headers: options.headers ?? {},
    capabilities: toCapabilities(options.apps === true),
    maxBytes: options.maxBytes ?? 16_000_000,
    ports: { ...browserPorts, ...options.ports },
    closing,
  };
}

function toAuth(auth: MCPOptions['auth'], host: string): MCPAuth | undefined {
  if (auth === undefined || typeof auth === 'object') return auth;
  if (typeof auth === 'function') return { token: async (origin) => toToken(await auth(origin), host) };
  const token = toToken(auth, host);
  return { token: async () => token };
}

/**
 * Returns a token without the spaces and line ends that come with a text that was pasted.
 *
 * @throws AgentError `INVALID_CONFIG` for characters that no header may have: the browser would report a network error
 */
function toToken(pasted: string, host: string): string {
  const token = pasted.trim();
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  throw new AgentError(`The access token for ${host} is damaged. Copy it again.`, {
    code: 'INVALID_CONFIG',
  });
}
