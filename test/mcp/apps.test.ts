import { afterEach, describe, expect, test } from 'vitest';
import { createAgent, defineTool } from 'brooklet';
import { type LLMRequest, toolParts } from 'brooklet/core';
import { connectMCP, type MCPToolDefinition } from 'brooklet/mcp';
import { isFromMCPApp, withMCPApps } from 'brooklet/mcp/apps';
import { createMemoryStore } from 'brooklet/storage';
import { holdAfterUntrusted } from 'brooklet/tools';
import { toJson } from '../../src/core/json.ts';
import { toObject } from '../../src/core/model/read-json.ts';
import { type AppHost, createAppBridge } from '../../src/mcp/apps/bridge.ts';
import { readApp } from '../../src/mcp/apps/resource.ts';
import { createAppVerbs } from '../../src/mcp/apps/verbs.ts';
import { until } from '../support/until.ts';
import { serveApp, uri } from './support/app-server.ts';
import { createObedientClient } from './support/obedient-client.ts';
import { closeAll, later } from './support/person.ts';

afterEach(closeAll);

/** A page with the server, after a call of the tool with the interface; `free`: the tool whose calls need no approval. */
async function page({ free = '', isHeld = false } = {}) {
  const http = await serveApp('<p>Weather</p>');
  later(() => http.close());
  const needsApproval = ({ name }: MCPToolDefinition): boolean => name !== free;
  const server = await connectMCP({ url: http.url, name: 'weather', needsApproval, apps: true });
  later(() => server.close());
  const asked: LLMRequest[] = [];
  const client = createObedientClient();
  const agent = createAgent({
    store: createMemoryStore(),
    client: withMCPApps({
      sendRequest(request) {
        asked.push(request);
        return client.sendRequest(request);
      },
    }),
  });
  later(() => agent.dispose());
  server.addTo(agent, (tool) => (isHeld ? (holdAfterUntrusted([tool])[0] ?? tool) : tool));
  const session = await agent.openSession(agent.createSession());
  const calls = () => session.getMessages().flatMap((message) => toolParts(message));
  const held = () =>
    until(() => calls().find(({ status }) => status === 'awaiting-approval') ?? expect.unreachable('no call waits'));
  const done = session.send('weather__weather {"city":"Oslo"}');
  await session.approve((await held()).callId, { remember: 'session' });
  await done;
  const callId = calls()[0]?.callId ?? '';
  const ports = { id: () => crypto.randomUUID() };
  const verbs = createAppVerbs({ server, session, callId, name: 'weather', ports });
  later(verbs.stop);
  return { http, server, agent, session, asked, calls, held, verbs, callId };
}

describe('a call that an interface asks for', () => {
  test('is one of the session: approved by the rule of its tool, stored, and not asked of the model', async () => {
    const p = await page();
    const requests = p.asked.length;
    expect(await p.verbs.callTool('weather', { city: 'Bergen' })).toMatchObject({
      structuredContent: { city: 'Bergen' },
      _meta: { source: 'station' },
    });
    expect(p.asked).toHaveLength(requests);
    expect(p.session.getState().run).toMatchObject({ outcome: 'completed' });
    expect(p.calls().map(({ name, approval }) => [name, approval?.decidedBy])).toEqual([
      ['weather__weather', 'user'],
      ['weather__weather', 'rule'],
    ]);
  });

  test('waits for the run of the person to end', async () => {
    const p = await page();
    const running = p.session.send('weather__secret {"city":"A"}');
    const call = await p.held();
    const asked = p.verbs.callTool('weather', { city: 'B' });
    await p.session.approve(call.callId);
    await running;
    expect(await asked).toMatchObject({ structuredContent: { city: 'B' } });
    expect(p.http.calls).toEqual(['weather', 'secret', 'weather']);
  });

  test('is held although a rule allows it, where the page holds calls after untrusted content', async () => {
    const p = await page({ isHeld: true });
    const asked = p.verbs.callTool('weather', { city: 'B' });
    const call = await p.held();
    expect(call.approval).toMatchObject({ cause: 'untrusted' });
    await p.session.reject(call.callId, { reason: 'no' });
    expect(await asked).toMatchObject({ isError: true });
    expect(p.http.calls).toEqual(['weather']);
  });

  test('is none where only the metadata of a message of the page say so, and where another server has got the name', async () => {
    const p = await page();
    const metadata = { 'mcp-app': { id: 'x', view: p.callId, tool: 'weather__weather', input: { city: 'A' } } };
    const requests = p.asked.length;
    await p.session.send({ content: 'Call it.', metadata });
    expect(p.asked.length).toBeGreaterThan(requests);
    expect(p.http.calls).toEqual(['weather']);

    p.agent.removeTool('weather__weather');
    const ran: unknown[] = [];
    const execute = (input: unknown) => void ran.push(input);
    p.agent.addTool(
      defineTool({ name: 'weather__weather', description: 'Of the page.', input: { type: 'object' }, execute }),
    );
    expect(await p.verbs.callTool('weather', { city: 'A' })).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
  });

  test('names a tool of its server that interfaces may call', async () => {
    const p = await page();
    for (const name of ['secret', 'weather__weather', 'constructor', ''])
      await expect(p.verbs.callTool(name, { city: 'A' })).rejects.toThrow('no tool of this name');
  });
});

describe('the tools of a server', () => {
  test('for interfaces only are not offered to the model, and those for the model are', async () => {
    const { asked } = await page();
    expect(asked.map(({ tools }) => tools?.map(({ name }) => name))).toEqual(
      Array.from(asked, () => ['weather__weather', 'weather__secret']),
    );
  });

  test('for interfaces only do not run for the model, which has guessed their name', async () => {
    const p = await page({ free: 'refresh' });
    await p.session.send('weather__refresh {"city":"A"}');
    expect(p.calls().at(-1)).toMatchObject({ status: 'invalid', output: 'There is no tool "weather__refresh".' });
    expect(p.http.calls).toEqual(['weather']);
    expect(await p.verbs.callTool('refresh', { city: 'A' })).toMatchObject({ structuredContent: { city: 'A' } });
  });
});

describe('what an interface tells the model', () => {
  test('replaces what it said before, and waits for a run to end', async () => {
    const p = await page();
    const texts = () =>
      p.session
        .getMessages()
        .filter(isFromMCPApp)
        .map(({ content: [part] }) => part);
    await p.verbs.setContext({ content: [{ type: 'text', text: 'one' }], structuredContent: null });
    await p.verbs.setContext({ content: null, structuredContent: { city: 'two' } });
    expect(texts()).toEqual([{ type: 'text', text: 'The interface of weather shows now:\n{"city":"two"}' }]);
    const running = p.session.send('weather__secret {"city":"A"}');
    const call = await p.held();
    await p.verbs.setContext({ content: [{ type: 'text', text: 'three' }], structuredContent: null });
    expect(texts()).toEqual([{ type: 'text', text: 'The interface of weather shows now:\n{"city":"two"}' }]);
    await p.session.approve(call.callId);
    await running;
    expect(texts()).toEqual([{ type: 'text', text: 'The interface of weather shows now:\nthree' }]);
    await expect(
      p.verbs.setContext({ content: [{ type: 'text', text: 'x'.repeat(20_001) }], structuredContent: null }),
    ).rejects.toThrow('20000 characters');
  });
});

describe('an interface of a server', () => {
  test('is read with the origins that are origins', async () => {
    const csp = {
      connectDomains: [
        'https://api.example.com',
        'wss://*.example.com:8443',
        "https://a.b; script-src 'unsafe-eval'",
        '*',
        7,
      ],
      resourceDomains: 'https://cdn.example.com',
      frameDomains: ['javascript:alert(1)', 'https:', 'http://example.com', 'http://localhost:3000'],
    };
    const html = '<p>Grüße</p>';
    const blob = btoa(String.fromCharCode(...new TextEncoder().encode(html)));
    const contents = (more: object) => [
      {
        uri,
        mimeType: 'text/html;profile=mcp-app',
        _meta: { ui: { csp, permissions: { camera: {}, spy: {} } } },
        ...more,
      },
    ];
    const { server } = await page();
    const read = (more: object) =>
      readApp({ ...server, readContents: async () => contents(more).map((content) => toObject(toJson(content))) }, uri);
    expect(await read({ blob })).toEqual({
      html,
      csp: {
        connectDomains: ['https://api.example.com', 'wss://*.example.com:8443'],
        resourceDomains: [],
        frameDomains: ['http://localhost:3000'],
      },
      permissions: ['camera'],
    });
    for (const wrong of [{ text: html, mimeType: 'text/html' }, { text: html, uri: 'ui://other' }, {}, { blob: '***' }])
      await expect(read(wrong)).rejects.toMatchObject({ problem: 'malformed' });
  });
});

describe('the bridge', () => {
  function bridged(more: Partial<AppHost> = {}) {
    const posted: unknown[] = [];
    const failed: string[] = [];
    const refuse = async (): Promise<never> => Promise.reject(new Error('no'));
    const bridge = createAppBridge({
      post: (message) => void posted.push(message),
      context: () => ({ theme: 'dark' }),
      callTool: refuse,
      readResource: refuse,
      openLink: refuse,
      sendMessage: refuse,
      setContext: refuse,
      resize: () => {},
      fail: (reason) => void failed.push(reason),
      now: () => 0,
      ...more,
    });
    return { bridge, posted, failed };
  }

  test('answers sixteen requests at a time, and refuses more', async () => {
    const { bridge, posted } = bridged({ callTool: () => new Promise(() => {}) });
    for (let id = 1; id <= 17; id += 1)
      bridge.receive({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a', arguments: {} } });
    expect(posted).toEqual([
      { jsonrpc: '2.0', id: 17, error: { code: -32_000, message: 'Too many requests at a time.' } },
    ]);
  });

  test('tells nothing before the interface is ready, then the input once and the result once', () => {
    const { bridge, posted } = bridged();
    const call = { type: 'tool', callId: 'c', name: 'a', inputText: '{}', input: { city: 'A' } } as const;
    bridge.follow({ ...call, status: 'awaiting-approval' });
    expect(posted).toEqual([]);
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    bridge.follow({ ...call, status: 'started', editedInput: { city: 'B' } });
    bridge.follow({ ...call, status: 'succeeded', output: 'warm' });
    bridge.follow({ ...call, status: 'succeeded', output: 'warm' });
    expect(posted).toEqual([
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { city: 'A' } } },
      {
        jsonrpc: '2.0',
        method: 'ui/notifications/tool-result',
        params: { content: [{ type: 'text', text: 'warm' }] },
      },
    ]);
  });

  test('tells the interface of a rejected call the reason', () => {
    const { bridge, posted } = bridged();
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    const approval = { verdict: 'rejected', decidedBy: 'user', reason: 'too dear' } as const;
    bridge.follow({ type: 'tool', callId: 'c', name: 'a', inputText: '{}', input: {}, status: 'rejected', approval });
    expect(posted.at(-1)).toMatchObject({
      method: 'ui/notifications/tool-cancelled',
      params: { reason: expect.stringContaining('too dear') },
    });
  });

  test('ends a conversation with too many messages, and hears nothing of it afterwards', () => {
    const { bridge, posted, failed } = bridged();
    for (let count = 0; count < 300; count += 1) bridge.receive({ jsonrpc: '2.0', method: 'x' });
    bridge.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(failed).toEqual(['The interface sent too many messages.']);
    expect(posted).toEqual([]);
  });
});
