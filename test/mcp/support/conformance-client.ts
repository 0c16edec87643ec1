import { createAgent, toolParts } from 'brooklet';
import { connectMCP, createMCPSignIn } from 'brooklet/mcp';
import { createObedientClient } from './obedient-client.ts';
import { createMailbox, createTokens, pageEvents, visit } from './window.ts';

// The client that scripts/mcp-conformance.mjs lets the official suite test: connects, and calls every tool.

const url = process.argv.at(-1) ?? '';
const isGuarded = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/') === true;
const { client_id: clientId }: { client_id?: string } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
Object.assign(globalThis, pageEvents);
const mailbox = createMailbox();

const auth = createMCPSignIn({
  redirectUri: 'http://localhost:3000/callback',
  clientName: 'conformance',
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(clientId === undefined ? {} : { clientId: () => clientId }),
  mailbox,
  tokens: createTokens(),
  open: (address) => (void visit(address, mailbox), true),
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

const server = await signedIn(() => connectMCP({ url, name: 'c', ...(isGuarded ? { auth } : {}) }));
const agent = createAgent({ client: createObedientClient() });
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
