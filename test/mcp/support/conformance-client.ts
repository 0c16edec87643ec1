import { createAgent, extractTextContent, type LLMChunk, type LLMClient, toolParts } from 'brooklet';
import { connectMCP, createMCPSignIn } from 'brooklet/mcp';
import { from } from 'rxjs';

// The client that scripts/mcp-conformance.mjs lets the official suite test: connects, and calls every tool.

const url = process.argv.at(-1) ?? '';
const isGuarded = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/') === true;
const { client_id: clientId }: { client_id?: string } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const notes = new Map<string, string>();
const words = new Map<string, string>();
const mailbox = {
  getItem: (key: string) => notes.get(key) ?? null,
  setItem: (key: string, value: string) => void notes.set(key, value),
  removeItem: (key: string) => void notes.delete(key),
};

/** The window in which the person signs in. */
async function visit(address: string): Promise<void> {
  const response = await fetch(address, { redirect: 'manual' });
  const { search, searchParams } = new URL(response.headers.get('location') ?? '');
  mailbox.setItem(`brooklet-mcp/answer/${searchParams.get('state')}`, search);
  const channel = new BroadcastChannel('brooklet-mcp-sign-in');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage('answered');
  channel.close();
}

const auth = createMCPSignIn({
  redirectUri: 'http://localhost:3000/callback',
  clientName: 'conformance',
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(clientId === undefined ? {} : { clientId }),
  mailbox,
  tokens: { load: async (id) => words.get(id), save: async (id, word) => void words.set(id, word) },
  open: (address) => (void visit(address), true),
});

/** Does something, and signs in as often as the server wants, three times at most. */
async function signedIn<T>(work: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (tries === 0 || !/answered 40[13]/.test(String(thrown))) throw thrown;
    await auth.signIn(url);
    return signedIn(work, tries - 1);
  }
}

/** A model that calls the tool that the person names. */
const client: LLMClient = {
  sendRequest({ messages }) {
    const last = messages.at(-1);
    const [name = '', inputText = '{}'] = (last && extractTextContent(last).split(/ (.*)/)) ?? [];
    const call: readonly LLMChunk[] = [
      { type: 'call', index: 0, name, text: inputText },
      { type: 'call-end', index: 0, name, inputText },
      { type: 'finish', reason: 'tool-calls' },
    ];
    const end: readonly LLMChunk[] = [
      { type: 'text', text: 'Done.' },
      { type: 'finish', reason: 'stop' },
    ];
    return from(last?.role === 'user' ? call : end);
  },
};

const server = await signedIn(() => connectMCP({ url, name: 'c', ...(isGuarded ? { auth } : {}) }));
const agent = createAgent({ client });
server.addTo(agent);

/** A person who approves everything, and answers with the defaults. */
async function callTool(name: string, input: object): Promise<void> {
  const session = await agent.openSession(agent.createSession());
  let decided = '';
  session.messages$.subscribe((messages) => {
    const [held] = messages.flatMap(toolParts).filter(({ status }) => status === 'awaiting-approval');
    const step = held && `${held.callId} ${held.approval?.elicitation === undefined}`;
    if (!held || !step || step === decided) return;
    decided = step;
    void (held.approval?.elicitation ? session.answer(held.callId, {}) : session.approve(held.callId));
  });
  await session.send(`${name} ${JSON.stringify(input)}`);
  const [ended] = session.getMessages().flatMap(toolParts);
  if (ended?.status !== 'succeeded') throw new Error(JSON.stringify(ended?.output));
}

for (const { tool, definition } of server.getTools()) {
  const { required } = definition.inputSchema;
  const input = Object.fromEntries((Array.isArray(required) ? required : []).map((name) => [String(name), 2]));
  await signedIn(() => callTool(tool.name, input));
}
server.close();
process.exit(0);
