import { createAgent, defineTool, type JsonObject, toolParts } from 'brooklet';
import type { MCPServer } from 'brooklet/mcp';
import { type MCPAppOptions, type MCPAppQuestion, mountMCPApp } from 'brooklet/mcp/apps';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { brought } from '../../src/core/model/origin.ts';
import { toMetadata } from '../../src/mcp/apps/app-call.ts';
import { createGate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';
import { uri } from './support/app-server.ts';

const network = { csp: { connectDomains: ['https://api.example.com'] } };

interface Shown {
  /** What the interface wants. */
  readonly wants?: JsonObject;
  /** What the page remembers of it. */
  readonly kept?: string;
  /** The tool of the server. */
  readonly offered?: object;
}

/** Mounts an interface whose server answers when the gate opens, and which wants the network. */
async function mount(more: Partial<MCPAppOptions> = {}, { wants = network, kept, offered = {} }: Shown = {}) {
  const input = { type: 'object' } as const;
  const tool = defineTool({ name: 'weather', description: 'Tells the weather.', input, execute: () => 'warm' });
  const other = defineTool({ name: 'other', description: 'Does other things.', input, execute: () => 'done' });
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
    _meta: { ui: wants },
  };
  const server: Partial<MCPServer> = {
    name: 'weather',
    url: 'https://weather.example/mcp',
    getTools: () => [
      untyped({ tool: other, definition: { name: 'other', inputSchema: input, ui: { resourceUri: 'ui://other' } } }),
      untyped({ tool, definition: { name: 'weather', inputSchema: input, ui: { resourceUri: uri }, ...offered } }),
    ],
    readContents: async () => {
      await answered.opened;
      return [contents];
    },
  };
  const questions: MCPAppQuestion['type'][] = [];
  const read: string[] = [];
  const remembered: string[] = [];
  const versions: unknown[] = [];
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
        return kept;
      },
      async update(key, change) {
        remembered.push(key);
        versions.push(change(undefined));
      },
    },
    ...more,
  });
  return { view, answered, questions, read, remembered, versions, session, tool, callId: call?.callId ?? '' };
}

test('the person is asked before an interface is shown, which is then remembered', async () => {
  const { answered, questions, read, remembered } = await mount();
  answered.open();
  await expect.poll(() => remembered).toHaveLength(1);
  expect(remembered).toEqual(read);
  expect(questions).toEqual(['network']);
});

/** What an interface reports to the model. */
const contextOf = (view: string, content: string) =>
  brought(
    {
      role: 'user',
      content: [{ type: 'text', text: content }],
      metadata: toMetadata({ context: { view, content } }),
    } as const,
    { type: 'interface', callId: view, name: 'weather', server: 'https://weather.example/mcp' },
  );

/** Shows an interface, and sends the page a message of its frame. */
async function shown(more: Partial<MCPAppOptions> = {}, other: Shown = {}) {
  const mounted = await mount(more, other);
  mounted.answered.open();
  const frame = await until(() => document.querySelector('iframe') ?? expect.unreachable());
  const replies: unknown[] = [];
  const view = frame.contentWindow ?? expect.unreachable();
  vi.spyOn(view, 'postMessage').mockImplementation((message: unknown) => void replies.push(message));
  const send = (data: object, source: Window | null = view): void =>
    void window.dispatchEvent(new MessageEvent('message', { source, data }));
  send({});
  await expect.poll(() => mounted.view.getStatus().state).toBe('shown');
  replies.length = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    send({ jsonrpc: '2.0', id: 1, method, params });
    return until(() => replies.pop() ?? expect.unreachable());
  };
  return { ...mounted, send, ask, replies };
}

describe('an interface that is shown', () => {
  const { prototype } = HTMLIFrameElement;
  // jsdom has no `sandbox` of a frame: test/e2e/mcp-apps.test.ts has the frame itself.
  beforeAll(() => void Object.defineProperty(prototype, 'sandbox', { configurable: true, value: { add: () => {} } }));
  afterAll(() => void Reflect.deleteProperty(prototype, 'sandbox'));
  afterEach(() => document.body.replaceChildren());

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'https:',
    'example.com',
    '',
    // These look like the address of a bank.
    'https://bank.example@evil.example/',
    'https://:word@evil.example/',
    `https://a.example/${'x'.repeat(4_000)}`,
  ])('cannot open %j, and the person is not asked', async (url) => {
    const opened: string[] = [];
    const { ask, questions, view } = await shown({ openLink: (one) => void opened.push(one) });
    expect(await ask('ui/open-link', { url })).toMatchObject({ error: { message: 'Only pages can be opened.' } });
    expect([opened, questions]).toEqual([[], ['network']]);
    await view.close();
  });

  test('opens the address that the person has read', async () => {
    const opened: string[] = [];
    const asked: MCPAppQuestion[] = [];
    const { ask, view } = await shown({
      ask: async (question) => (asked.push(question), true),
      openLink: (one) => void opened.push(one),
    });
    await ask('ui/open-link', { url: 'HTTPS://b\u00e4nk.example/\u202egnp' });
    const url = 'https://xn--bnk-qla.example/%E2%80%AEgnp';
    expect([asked.at(-1), opened]).toEqual([{ type: 'link', url }, [url]]);
    await view.close();
  });

  test('opens an allowed address in a tab that has no opener, and fails where the browser blocks the tab', async () => {
    const { ask, view } = await shown({ ask: async () => true });
    const url = 'https://a.example/';
    const tab = { opener: window, document: document.implementation.createHTMLDocument() };
    const open = vi.spyOn(window, 'open').mockReturnValueOnce(untyped(tab)).mockReturnValueOnce(null);
    expect(await ask('ui/open-link', { url })).toMatchObject({ result: {} });
    const link = tab.document.querySelector('a');
    expect([tab.opener, link?.href, link?.rel]).toEqual([null, url, 'noreferrer']);
    expect(await ask('ui/open-link', { url })).toMatchObject({
      error: { message: 'The browser has blocked the new tab.' },
    });
    expect(open).toHaveBeenCalledTimes(2);
    open.mockRestore();
    await view.close();
  });

  test('may do nothing that the person does not allow, and nothing where nobody is asked', async () => {
    for (const ask of [async () => false, undefined]) {
      const opened: string[] = [];
      const s = await shown(untyped({ ask, openLink: (one: string) => void opened.push(one) }));
      const refused = { error: { message: 'The person did not allow it.' } };
      expect(await s.ask('ui/open-link', { url: 'https://a.example/' })).toMatchObject(refused);
      expect(await s.ask('ui/message', { content: { type: 'text', text: 'Pay' } })).toMatchObject(refused);
      expect(opened).toEqual([]);
      await s.view.close();
    }
  });

  test('sends the message that the person allows', async () => {
    const { ask, view, session, questions } = await shown();
    expect(await ask('ui/message', { content: { type: 'text', text: 'Is it cold?' } })).not.toHaveProperty('error');
    expect(questions).toEqual(['network', 'message']);
    expect(
      session.getMessages().some(({ content: [part] }) => part?.type === 'text' && part.text === 'Is it cold?'),
    ).toBe(true);
    await view.close();
  });

  test.each<readonly [wants: JsonObject, isAllowed: boolean, questions: readonly string[], allow: string]>([
    [{}, true, [], ''],
    [{ permissions: { camera: {} } }, true, ['permissions'], 'camera *'],
    [{ permissions: { camera: {} } }, false, ['permissions'], ''],
    [{ ...network, permissions: { camera: {} } }, true, ['network', 'permissions'], 'camera *'],
  ])('that wants %j may use what the person allows: %s', async (wants, isAllowed, expected, allow) => {
    const asked: string[] = [];
    const { view } = await shown({ ask: async ({ type }) => (asked.push(type), isAllowed) }, { wants });
    expect(asked).toEqual(expected);
    expect(document.querySelector('iframe')?.allow).toBe(allow);
    await view.close();
  });

  test('reads again what it reported last, and not what another interface has', async () => {
    const { ask, session, view, callId } = await shown();
    const context = async () =>
      (await ask('ui/initialize', {})) as { result?: { hostContext?: Record<string, unknown> } } | undefined;
    const key = 'brooklet/modelContext';
    expect((await context())?.result?.hostContext).not.toHaveProperty([key]);
    session.addMessage(contextOf('other', 'cold'));
    expect((await context())?.result?.hostContext).not.toHaveProperty([key]);
    session.addMessage(contextOf(callId, 'warm'));
    session.addMessage(contextOf('other', 'cold'));
    expect((await context())?.result?.hostContext?.[key]).toMatchObject({ view: callId, content: 'warm' });
    await view.close();
  });

  test('that was seen before is shown without a question, and one that has changed with one', async () => {
    const first = await shown();
    await expect.poll(() => first.versions).toHaveLength(1);
    const [version] = first.versions;
    await first.view.close();
    const again = await shown({}, { kept: String(version) });
    expect([again.questions, again.remembered]).toEqual([['network'], []]);
    await again.view.close();
    const changed = await shown({}, { kept: 'another' });
    expect([changed.questions, changed.versions]).toEqual([['changed', 'network'], [version]]);
    await changed.view.close();
  });

  test('that has changed is not shown where the person does not allow it', async () => {
    const { view, answered, remembered } = await mount({ ask: async () => false }, { kept: 'another' });
    answered.open();
    await expect.poll(view.getStatus).toMatchObject({ state: 'failed', error: { message: /did not allow/ } });
    expect([document.querySelector('iframe'), remembered]).toEqual([null, []]);
    // What has failed is not closed, and asks nothing more.
    await view.close();
    expect(view.getStatus().state).toBe('failed');
  });

  test('closes once', async () => {
    const { view, replies } = await shown();
    const states: string[] = [];
    view.status$.subscribe(({ state }) => void states.push(state));
    await view.close();
    await view.close();
    expect([states, replies]).toEqual([['shown', 'closed'], []]);
  });

  test('says nothing where its message is empty', async () => {
    const { ask, questions, view } = await shown();
    expect(await ask('ui/message', { content: [{ type: 'text', text: ' ' }] })).toMatchObject({ error: {} });
    expect(questions).toEqual(['network']);
    await view.close();
  });

  test('is heard by its own frame only', async () => {
    const { send, replies, questions, view } = await shown();
    for (const source of [window, null]) send({ jsonrpc: '2.0', id: 1, method: 'ping' }, source);
    // The window of a frame that was removed is null, too.
    document.querySelector('iframe')?.remove();
    send({ jsonrpc: '2.0', id: 1, method: 'ui/open-link', params: { url: 'https://a.example/' } }, null);
    await new Promise((resolve) => setTimeout(resolve));
    expect([replies, questions]).toEqual([[], ['network']]);
    await view.close();
  });
});

test.each<readonly [what: string, offered: object, callId: string | undefined]>([
  ['has no interface', { ui: undefined }, undefined],
  ['has an interface without an address', { ui: { visibility: ['app'] } }, undefined],
  ['is not of this session', {}, 'other'],
])('a call whose tool %s shows none', async (_what, offered, callId) => {
  const mounting = mount(callId === undefined ? {} : { callId }, { offered });
  await expect(mounting).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('has no interface at weather'),
  });
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
