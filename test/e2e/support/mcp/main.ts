import { type AgentSession, createAgent } from 'brooklet';
import { connectMCP, createMCPSignIn, MCPError, type MCPServer, receiveMCPSignIn } from 'brooklet/mcp';
import { createIndexedDBStore } from 'brooklet/storage';
import { createObedientClient } from '../../../mcp/support/obedient-client.ts';

declare global {
  /** The page's session, which the test uses. */
  var session: AgentSession;
  /** Connects a server. Returns the names of its tools, or the problem. */
  var connect: (url: string, name: string) => Promise<readonly string[] | string>;
  /** The descriptions of a tool: before and now. */
  var descriptions: (name: string) => readonly (string | undefined)[];
}

async function start(): Promise<void> {
  const store = createIndexedDBStore();
  const agent = createAgent({ client: createObedientClient(), store });
  const servers: MCPServer[] = [];
  const auth = createMCPSignIn({
    redirectUri: `${location.origin}/back`,
    clientName: 'A page',
    tokens: {
      load: async (url) => localStorage.getItem(url) ?? undefined,
      save: async (url, word) => localStorage.setItem(url, word),
    },
  });

  globalThis.connect = async (url, name) => {
    document
      .querySelector('button')
      ?.addEventListener('click', () => void auth.signIn(url).then(() => (document.title = 'signed in')));
    try {
      const server = await connectMCP({ url, name, auth, memory: store.meta });
      server.addTo(agent);
      servers.push(server);
      return server.getTools().map(({ tool }) => tool.name);
    } catch (thrown) {
      return thrown instanceof MCPError ? thrown.problem : String(thrown);
    }
  };
  globalThis.descriptions = (name) => {
    const found = servers.flatMap((server) => server.getTools()).find(({ tool }) => tool.name === name);
    return [found?.previous?.description, found?.definition.description];
  };
  location.hash ||= agent.createSession();
  globalThis.session = await agent.openSession(location.hash.slice(1));
}

if (!receiveMCPSignIn()) await start();
