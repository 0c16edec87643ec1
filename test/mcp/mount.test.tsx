import { createAgent, defineTool, toolParts } from 'brooklet';
import type { MCPServer } from 'brooklet/mcp';
import { type MCPAppQuestion, mountMCPApp } from 'brooklet/mcp/apps';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { createGate } from '../support/gate.ts';
import { untyped } from '../support/untyped.ts';
import { uri } from './support/app-server.ts';

/** Mounts an interface whose server answers when the gate opens, and which wants the network. */
async function mount() {
  const input = { type: 'object' } as const;
  const tool = defineTool({ name: 'weather', description: 'Tells the weather.', input, execute: () => 'warm' });
  const client = createScriptedClient([[reply.call('weather', {})], [reply.text('Warm.')]]);
  const store = createMemoryStore();
  const agent = createAgent({ client, store, tools: [tool] });
  const session = await agent.openSession(agent.createSession());
  await session.send('Is it warm?');
  const [call] = session.getMessages().flatMap(toolParts);
  const answered = createGate();
  const contents = {
    uri,
    mimeType: 'text/html;profile=mcp-app',
    text: '<p>Weather</p>',
    _meta: { ui: { csp: { connectDomains: ['https://api.example.com'] } } },
  };
  const server: Partial<MCPServer> = {
    name: 'weather',
    url: 'https://weather.example/mcp',
    getTools: () => [untyped({ tool, definition: { name: 'weather', inputSchema: input, ui: { resourceUri: uri } } })],
    readContents: async () => {
      await answered.opened;
      return [contents];
    },
  };
  const questions: MCPAppQuestion['type'][] = [];
  const read: string[] = [];
  const remembered: string[] = [];
  const view = mountMCPApp(document.body, {
    server: untyped(server),
    session,
    callId: call?.callId ?? '',
    async ask({ type }) {
      questions.push(type);
      return true;
    },
    memory: {
      ...store.meta,
      async get(key) {
        read.push(key);
        return undefined;
      },
      update: async (key) => void remembered.push(key),
    },
  });
  return { view, answered, questions, read, remembered };
}

test('the person is asked before an interface is shown, which is then remembered', async () => {
  const { answered, questions, read, remembered } = await mount();
  answered.open();
  await expect.poll(() => remembered).toHaveLength(1);
  expect(remembered).toEqual(read);
  expect(questions).toEqual(['network']);
});

test('an interface that was closed while its server was asked asks the person nothing, and is not remembered', async () => {
  const { view, answered, questions, read, remembered } = await mount();
  await view.close();
  answered.open();
  await expect.poll(() => read).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect([questions, remembered]).toEqual([[], []]);
  expect(view.getStatus()).toEqual({ state: 'closed' });
});
