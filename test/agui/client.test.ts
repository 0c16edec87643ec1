import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { createAgent, defineTool, extractTextContent, toolParts } from 'brooklet';
import { createAGUIClient, toAGUIMessages } from 'brooklet/agui';
import { lastValueFrom } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { startServer, stream, type TestServer } from '../support/llm-server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A remote agent that answers each run with the next list of events. */
async function remote(...runs: readonly (readonly object[])[]): Promise<TestServer> {
  let next = 0;
  server = await startServer((response) => {
    const ends = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
    const events = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...(runs[next++] ?? []), ends];
    stream(response, events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
    response.end();
  });
  return server;
}

const inputsOf = ({ requests }: TestServer) => requests.map(({ body }) => RunAgentInputSchema.parse(JSON.parse(body)));

const text = (messageId: string, delta: string): readonly object[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];

const callOf = (toolCallId: string, toolCallName: string, parentMessageId: string): readonly object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"at":"it"}' },
  { type: 'TOOL_CALL_END', toolCallId },
];

test('sends the agent’s messages back under their own ids, one by one, with remote and local tools', async () => {
  const { url } = await remote(
    [
      ...text('m1', 'Let me see.'),
      ...callOf('c1', 'search', 'm1'),
      { type: 'TOOL_CALL_RESULT', messageId: 'x1', toolCallId: 'c1', content: 'found' },
      ...text('m2', 'And you?'),
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'c2', encryptedValue: 'sealed' },
      ...callOf('c2', 'look', 'm2'),
    ],
    text('m3', 'Thanks.'),
    text('m4', 'Bye.'),
  );
  const ran: unknown[] = [];
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    execute: (input) => {
      ran.push(input);
      return 'a brook';
    },
  });
  const agent = createAgent({ client: createAGUIClient({ url }), tools: [look], instructions: 'Be kind.' });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  expect((await session.send('Hi')).outcome).toBe('completed');
  await session.send('Bye');
  expect(ran).toEqual([{ at: 'it' }]);
  expect(session.getMessages().flatMap(toolParts)).toMatchObject([{ name: 'look', status: 'succeeded' }]);

  const [first, second, third] = inputsOf(server ?? expect.unreachable());
  expect(first).toMatchObject({
    threadId: session.id,
    tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ],
  });
  expect(second?.runId).not.toBe(first?.runId);
  const fn = (name: string) => ({ type: 'function', function: { name, arguments: '{"at":"it"}' } });
  expect(second?.messages.slice(2)).toEqual([
    { id: 'm1', role: 'assistant', content: 'Let me see.', toolCalls: [{ id: 'c1', ...fn('search') }] },
    { id: 'x1', role: 'tool', toolCallId: 'c1', content: 'found' },
    {
      id: 'm2',
      role: 'assistant',
      content: 'And you?',
      toolCalls: [{ id: 'c2', ...fn('look'), encryptedValue: 'sealed' }],
    },
    { id: 'c2-result', role: 'tool', toolCallId: 'c2', content: 'a brook' },
  ]);
  expect(third?.messages.slice(6)).toMatchObject([
    { id: 'm3', role: 'assistant', content: 'Thanks.' },
    { role: 'user', content: 'Bye' },
  ]);
});

/** The conversation of one turn with a call of `look`. */
const snapshot = [
  { id: 'u1', role: 'user', content: 'Look' },
  {
    id: 'm1',
    role: 'assistant',
    content: 'Let me see.',
    toolCalls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }],
  },
  { id: 'x1', role: 'tool', toolCallId: 'c1', content: 'a brook' },
  { id: 'm2', role: 'assistant', content: 'That is all.' },
];

test.each([
  ['alone, which is no answer', callOf('c1', 'look', 'm1'), 'failed'],
  ['before a text', [...callOf('c1', 'look', 'm1'), ...text('m2', 'That is all.')], 'completed'],
  ['behind a text', [...text('m2', 'That is all.'), ...callOf('c1', 'look', 'm2')], 'completed'],
  ['as a chunk', [{ type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'look', delta: '{}' }], 'failed'],
  ['with a snapshot of the whole conversation', [{ type: 'MESSAGES_SNAPSHOT', messages: snapshot }], 'completed'],
] as const)('runs a call once that a remote agent sends again: %s', async (_name, again, outcome) => {
  const { url } = await remote([...text('m1', 'Let me see.'), ...callOf('c1', 'look', 'm1')], again);
  const ran: unknown[] = [];
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    execute: (input) => void ran.push(input),
  });
  const agent = createAgent({ client: createAGUIClient({ url }), tools: [look] });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  expect(await session.send('Look')).toMatchObject(
    outcome === 'failed' ? { outcome, error: { code: 'STREAM_MALFORMED' } } : { outcome },
  );
  expect(ran).toEqual([{ at: 'it' }]);
  const said = session.getMessages().map(extractTextContent);
  expect(said.slice(1)).toEqual(outcome === 'failed' ? ['Let me see.'] : ['Let me see.', 'That is all.']);
});

test('shows a call of a remote tool once that the agent sends again with its next answer', async () => {
  const result = { type: 'TOOL_CALL_RESULT', messageId: 'x1', toolCallId: 'c1', content: 'found' };
  const searched = [...callOf('c1', 'search', 'm1'), result];
  const { url } = await remote(
    [...searched, ...text('m2', 'Found.')],
    [...searched, ...text('m3', 'As I said.')],
    text('m4', 'Bye.'),
  );
  const agent = createAgent({ client: createAGUIClient({ url }) });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  for (const input of ['Search', 'Again', 'Bye']) await session.send(input);
  const sent = inputsOf(server ?? expect.unreachable())[2]?.messages ?? [];
  expect(sent.filter(({ role }) => role === 'tool')).toHaveLength(1);
  expect(session.getMessages().map(extractTextContent)).toContain('As I said.');
});

test('runs two calls with one input and an id each', async () => {
  const { url } = await remote(callOf('c1', 'look', 'm1'), callOf('c2', 'look', 'm2'), text('m3', 'That is all.'));
  let runs = 0;
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    execute: () => void (runs += 1),
  });
  const agent = createAgent({ client: createAGUIClient({ url }), tools: [look] });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  await session.send('Look');
  expect(runs).toBe(2);
});

test('sends a result of the agent’s tool back unchanged: a text, a list of parts, or nothing', async () => {
  const parts = [
    { type: 'text', text: 'found' },
    { type: 'image', source: { type: 'url', value: 'https://example.com/brook.png' } },
  ];
  const { url } = await remote(
    [
      ...['c1', 'c2', 'c3'].flatMap((id) => callOf(id, 'search', 'm1')),
      { type: 'TOOL_CALL_RESULT', messageId: 'x1', toolCallId: 'c1', content: parts },
      { type: 'TOOL_CALL_RESULT', messageId: 'x2', toolCallId: 'c2', content: 'text' },
      { type: 'TOOL_CALL_RESULT', messageId: 'x3', toolCallId: 'c3', content: '' },
    ],
    text('m2', 'Bye.'),
  );
  const agent = createAgent({ client: createAGUIClient({ url }) });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  await session.send('Hi');
  await session.send('Bye');
  const results = inputsOf(server ?? expect.unreachable())[1]?.messages.filter(({ role }) => role === 'tool');
  expect(results?.map(({ content }) => content)).toEqual([parts, 'text', '']);
});

test('sends settings without a place in the protocol as forwarded properties', async () => {
  const { url } = await remote(text('m', 'Hi'));
  const agent = createAgent({
    client: createAGUIClient({ url, apiKey: 'secret' }),
    model: 'big',
    providerParams: { state: { mood: 'good' }, resume: [{ interruptId: 'i', status: 'resolved', payload: true }] },
  });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  await session.send('Hi');
  const input = inputsOf(server ?? expect.unreachable())[0];
  expect(input).toMatchObject({
    state: { mood: 'good' },
    forwardedProps: { model: 'big' },
    resume: [{ interruptId: 'i', status: 'resolved', payload: true }],
  });
  expect(server?.requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret' });
});

test('uses the URL unchanged: with its slash, or without', async () => {
  const { url } = await remote(text('a', 'Hi'), text('b', 'Hi'));
  for (const one of [url, `${url}/`]) {
    const agent = createAgent({ client: createAGUIClient({ url: one }) });
    await agent.getSession(agent.createSession())?.send('Hi');
  }
  expect(server?.requests.map(({ path }) => path)).toEqual(['/v1', '/v1/']);
  expect(() => createAGUIClient({ url: 'http://example.com' })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG' }),
  );
});

test('keeps the messages of an agent that is interrupted, to be continued', async () => {
  server = await startServer((response) => {
    stream(
      response,
      [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...text('m', 'So far')]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    );
    response.end();
  });
  const agent = createAgent({ client: createAGUIClient({ url: server.url }) });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  const { outcome, error } = await session.send('Hi');
  expect([outcome, error?.code]).toEqual(['interrupted', 'STREAM_INTERRUPTED']);
  expect(extractTextContent(session.getMessages().at(-1) ?? expect.unreachable())).toBe('So far');
});

test('sends images, audio and files, and a text file as text', () => {
  const [message] = toAGUIMessages([
    {
      id: 'u',
      role: 'user',
      timestamp: 0,
      content: [
        { type: 'text', text: 'See' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
        { type: 'audio', mediaType: 'audio/mpeg', url: 'https://example.com/a.mp3' },
        { type: 'file', mediaType: 'application/pdf', data: 'AAAA', name: 'a.pdf' },
        { type: 'file', mediaType: 'text/plain', data: btoa('words'), name: 'a.txt' },
      ],
    },
  ]);
  expect(message).toEqual({
    id: 'u',
    role: 'user',
    content: [
      { type: 'text', text: 'See' },
      { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } },
      { type: 'audio', source: { type: 'url', value: 'https://example.com/a.mp3', mimeType: 'audio/mpeg' } },
      { type: 'document', source: { type: 'data', value: 'AAAA', mimeType: 'application/pdf' } },
      { type: 'text', text: 'a.txt:\nwords' },
    ],
  });
});

test('sends the tool choice as a forwarded property', async () => {
  const { url } = await remote(text('m', 'Hi'));
  await lastValueFrom(createAGUIClient({ url }).sendRequest({ sessionId: 's', messages: [], toolChoice: 'none' }));
  expect(inputsOf(server ?? expect.unreachable())[0]).toMatchObject({ forwardedProps: { toolChoice: 'none' } });
});
