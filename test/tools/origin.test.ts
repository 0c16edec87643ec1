import { createAgent, type Message, type Part, toolParts } from 'brooklet';
import { connectMCP, type MCPServer } from 'brooklet/mcp';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { holdAfterUntrusted, originOf, untrustedContent } from 'brooklet/tools';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, later } from '../mcp/support/person.ts';
import { serveStateless, type TestServer } from '../mcp/support/servers.ts';
import { until } from '../support/until.ts';

afterEach(closeAll);

const at = { timestamp: 0 } as const;
const text: Part = { type: 'text', text: 'Hello.' };
const call = {
  type: 'tool',
  callId: 'c1',
  name: 'notes__search',
  inputText: '{}',
  status: 'succeeded',
  server: 'https://notes.example/mcp',
} as const;
const answer: Message = { id: 'a', role: 'assistant', content: [call], status: 'complete', model: 'm', ...at };

describe('originOf', () => {
  test.each<[string, Message, Part | undefined, object]>([
    ['what the person wrote', { id: '1', role: 'user', content: [text], ...at }, text, { type: 'person' }],
    ['instructions', { id: '1', role: 'system', content: [text], ...at }, text, { type: 'page' }],
    ['a reply that the page added', { id: '1', role: 'assistant', content: [text], ...at }, text, { type: 'page' }],
    ['the words of the model', answer, text, { type: 'model', model: 'm' }],
    ['a source', answer, { type: 'source', url: 'https://x.example' }, { type: 'provider' }],
    ['a search of the provider', answer, { type: 'provider', name: 'web_search', data: {} }, { type: 'provider' }],
    ['a result', answer, call, { type: 'tool', callId: 'c1', name: call.name, server: call.server }],
    [
      'a result of a tool of the page',
      answer,
      { type: 'tool', callId: 'c2', name: 'clock', inputText: '{}', status: 'succeeded' },
      { type: 'tool', callId: 'c2', name: 'clock' },
    ],
    [
      'a call that an interface asked for',
      {
        id: '2',
        role: 'user',
        content: [text],
        metadata: { 'mcp-app': { id: 'x', view: 'c1', tool: 't', input: {} } },
        ...at,
      },
      undefined,
      { type: 'interface', callId: 'c1', name: call.name, server: call.server },
    ],
    [
      'what an interface told the model',
      { id: '2', role: 'user', content: [text], metadata: { 'mcp-app': { context: { view: 'c1' } } }, ...at },
      text,
      { type: 'interface', callId: 'c1', name: call.name, server: call.server },
    ],
    [
      'an interface whose call was removed, from a file that says nonsense',
      { id: '2', role: 'user', content: [text], metadata: { 'mcp-app': 7 }, ...at },
      text,
      { type: 'interface', callId: '', name: '' },
    ],
  ])('states where it came from: %s', (_what, message, part, origin) => {
    expect(originOf(message, part, [answer, message])).toEqual(origin);
  });

  test('never throws, and blames the person for nothing that has the mark of an interface', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('user', 'assistant', 'system'), (value, role) => {
        const metadata = JSON.parse(JSON.stringify({ 'mcp-app': value }));
        const { type } = originOf({ id: '1', role, content: [text], metadata, ...at }, text, [answer]);
        expect(type).toBe(role === 'user' ? 'interface' : 'page');
      }),
    );
  });
});

/** An agent with the tools of a server under a name, whose model calls `add` of that server. */
async function page(http: TestServer, name: string, store = createMemoryStore()) {
  const server: MCPServer = await connectMCP({ url: http.url, name, needsApproval: () => false, listen: false });
  later(() => server.close());
  const client = createScriptedClient([[reply.call(`${name}__add`, { a: 1, b: 2 })], [reply.text('3')]]);
  const agent = createAgent({ client, store });
  later(() => agent.dispose());
  server.addTo(agent, (tool) => holdAfterUntrusted([tool])[0] ?? tool);
  return { server, agent, store };
}

describe('the server of a call', () => {
  test('is in the log: after an export, an import, and under another name it is the same', async () => {
    const http = await serveStateless();
    later(() => http.close());
    const first = await page(http, 'sums');
    const session = await first.agent.openSession(first.agent.createSession());
    await session.send('Add.');
    const origin = { type: 'tool', callId: expect.any(String), name: 'sums__add', server: http.url };
    expect(untrustedContent(session.getMessages())).toMatchObject([{ origin }]);
    await session.flushed();
    const stored = await first.store.read(session.id);
    const started = stored?.events.find(({ type }) => type === 'call.started');
    expect(started).toMatchObject({ server: http.url });
    const file = stored && exportSession(stored);

    // Another page, where another server has the name.
    const other = await serveStateless();
    later(() => other.close());
    const second = await page(other, 'sums');
    const report = await importSessions(second.store, file ?? '');
    expect(report.problems).toEqual([]);
    const imported = await second.agent.openSession(report.imported[0]?.id ?? '');
    // All of a file is a stranger's: the question, the reply, and the result in it.
    const [ofFile, result] = [{ origin: { type: 'import' } }, { origin }];
    expect(untrustedContent(imported.getMessages())).toMatchObject([ofFile, ofFile, result, ofFile]);
    // What came in the file is in the context: the next call waits for a person.
    void imported.send('Add again.');
    const held = await until(
      () =>
        imported
          .getMessages()
          .flatMap((message) => toolParts(message))
          .find(({ status }) => status === 'awaiting-approval') ?? expect.unreachable('no call waits'),
    );
    expect(held.approval).toMatchObject({ cause: 'untrusted' });
    expect(other.done.calls).toEqual([]);
    await imported.approve(held.callId);
    await until(() => expect(imported.getStatus()).toBe('idle'));
    expect(untrustedContent(imported.getMessages())).toMatchObject([
      ofFile,
      ofFile,
      { origin: { server: http.url } },
      ofFile,
      { origin: { server: other.url } },
    ]);
  });
});
