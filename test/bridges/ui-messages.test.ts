import { createAgent, defineTool, type Message, type Part, type ToolPart } from 'brooklet';
import { toUIMessages, type UIToolPart } from 'brooklet/bridges';
import { createMemoryStore, importMessages } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { type UIMessage, validateUIMessages } from 'ai';
import { describe, expect, expectTypeOf, test } from 'vitest';

const message = (role: Message['role'], content: readonly Part[], more: Partial<Message> = {}): Message => ({
  id: `${role}-1`,
  role,
  content,
  timestamp: 1,
  ...more,
});

const call = (status: ToolPart['status'], more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c1',
  name: 'pay',
  inputText: '{"amount":20}',
  input: { amount: 20 },
  status,
  ...more,
});

/** The call of a message with this call only. */
function shown(part: ToolPart): UIToolPart | undefined {
  const [converted] = toUIMessages([message('assistant', [part])]);
  return converted?.parts.find((one): one is UIToolPart => one.type.startsWith('tool-'));
}

test('the result is a UIMessage of the AI SDK by type', () => {
  expectTypeOf(toUIMessages([])).toExtend<UIMessage[]>();
});

test('a session with reasoning, a tool, files and sources passes the checks of the AI SDK', async () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    input: { type: 'object', properties: { a: { type: 'number' } } },
    execute: () => ({ sum: 3 }),
  });
  const client = createScriptedClient([
    [reply.reasoning('Let me add.'), reply.call('add', { a: 1 })],
    [
      reply.text('It is 3.'),
      reply.chunk({ type: 'part', part: { type: 'source', url: 'https://example.com/', title: 'Sums' } }),
      reply.chunk({ type: 'part', part: { type: 'image', mediaType: 'image/png', data: 'QUJD' } }),
      reply.chunk({ type: 'part', part: { type: 'provider', name: 'web_search_call', data: { n: 1 } } }),
    ],
  ]);
  const agent = createAgent({ client, tools: [add] });
  const session = await agent.openSession(agent.createSession());
  await session.send('1 + 2?');
  const converted = toUIMessages(session.getMessages());

  await expect(validateUIMessages({ messages: converted })).resolves.toEqual(converted);
  expect(converted.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(converted[1]?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'reasoning',
    'tool-add',
    'step-start',
    'text',
    'source-url',
    'file',
    'data-provider',
  ]);
  expect(converted[1]?.parts[2]).toMatchObject({ state: 'output-available', input: { a: 1 }, output: { sum: 3 } });
});

describe('a call that', () => {
  test.each<[string, ToolPart, Partial<UIToolPart>]>([
    ['streams', call('streaming'), { state: 'input-streaming' }],
    ['was requested', call('requested'), { state: 'input-available' }],
    ['awaits approval', call('awaiting-approval'), { state: 'approval-requested', approval: { id: 'c1' } }],
    [
      'was approved by a person',
      call('started', { approval: { verdict: 'approved', decidedBy: 'user' } }),
      { state: 'approval-responded' },
    ],
    [
      'needed no approval',
      call('started', { approval: { verdict: 'approved', decidedBy: 'policy' } }),
      { state: 'input-available' },
    ],
    ['was edited', call('edited', { editedInput: { amount: 5 } }), { input: { amount: 5 } }],
    ['succeeded without a result', call('succeeded'), { state: 'output-available', output: null }],
    [
      'was rejected',
      call('rejected', { approval: { verdict: 'rejected', decidedBy: 'user', reason: 'Too much.' } }),
      { state: 'output-denied', approval: { id: 'c1', approved: false, reason: 'Too much.' } },
    ],
    ['expired', call('expired'), { state: 'output-denied' }],
    ['failed', call('failed', { output: 'No money.' }), { state: 'output-error', errorText: 'No money.' }],
    ['timed out', call('timed-out'), { state: 'output-error', errorText: 'The tool took too long.' }],
    ['was cancelled', call('cancelled'), { state: 'output-error', errorText: 'The call was cancelled.' }],
    ['may have run', call('uncertain'), { state: 'output-error' }],
    ['was invalid', call('invalid', { inputText: '{' }), { state: 'output-error' }],
  ])('%s has its state, and passes the checks of the AI SDK', async (_what, part, expected) => {
    expect(shown(part)).toMatchObject({ type: 'tool-pay', toolCallId: 'c1', ...expected });
    const messages = toUIMessages([message('assistant', [part])]);
    await expect(validateUIMessages({ messages })).resolves.toEqual(messages);
  });
});

test('only the last part of a streaming reply streams', () => {
  const parts: Part[] = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'So' },
  ];
  const [streaming] = toUIMessages([message('assistant', parts, { status: 'streaming' })]);
  expect(streaming?.parts.slice(1)).toMatchObject([{ state: 'done' }, { state: 'streaming' }]);
});

describe('messages of the AI SDK', () => {
  const conversation: UIMessage[] = [
    {
      id: 'u',
      role: 'user',
      parts: [
        { type: 'text', text: 'Pay this.' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,QUJD', filename: 'bill.png' },
      ],
    },
    {
      id: 'a',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'A bill.' },
        {
          type: 'tool-pay',
          toolCallId: 'x',
          state: 'output-available',
          input: { amount: 5 },
          output: { receipt: 'r' },
        },
        { type: 'dynamic-tool', toolName: 'mail', toolCallId: 'y', state: 'input-available', input: { to: 'Ada' } },
        { type: 'step-start' },
        { type: 'text', text: 'Paid.' },
        { type: 'source-url', sourceId: 's', url: 'https://bank.example/', title: 'Bank' },
      ],
    },
  ];

  async function importedMessages(
    list: readonly unknown[],
  ): Promise<{ readonly skipped: number; readonly messages: readonly Message[] }> {
    const store = createMemoryStore();
    const { sessionId, skipped } = await importMessages(store, list);
    const agent = createAgent({ client: createScriptedClient([]), store });
    return { skipped, messages: (await agent.openSession(sessionId)).getMessages() };
  }

  test('become a session whose calls are closed', async () => {
    const { skipped, messages } = await importedMessages(conversation);
    expect(skipped).toBe(0);
    expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ['user', 'text', 'image'],
      ['assistant', 'reasoning', 'tool', 'tool'],
      ['assistant', 'text', 'source'],
    ]);
    expect(messages[0]?.content[1]).toEqual({ type: 'image', mediaType: 'image/png', data: 'QUJD', name: 'bill.png' });
    expect(messages[1]?.content.slice(1)).toMatchObject([
      { name: 'pay', status: 'succeeded', output: { receipt: 'r' } },
      { name: 'mail', status: 'cancelled' },
    ]);
  });

  test('come back as they were, but for a call without a result', async () => {
    const { messages } = await importedMessages(conversation);
    const [user, assistant] = toUIMessages(messages);
    expect(user?.parts).toMatchObject(conversation[0]?.parts ?? []);
    const [, , , , ...answer] = conversation[1]?.parts ?? [];
    expect(assistant?.parts[2]).toMatchObject({
      type: 'tool-pay',
      state: 'output-available',
      output: { receipt: 'r' },
    });
    expect(assistant?.parts.slice(4)).toMatchObject([
      ...answer.slice(0, 2),
      { type: 'source-url', url: 'https://bank.example/' },
    ]);
  });

  test('that are hostile are skipped or stored as they are, and run nothing', async () => {
    const { skipped, messages } = await importedMessages([
      {
        role: 'assistant',
        parts: [{ type: 'tool-', toolCallId: 7, state: 'output-available' }, null, 'x', { type: 'text' }],
      },
      { role: '__proto__', parts: [{ type: 'text', text: 'x' }] },
      { role: 'user', parts: [{ type: 'text', text: '<img onerror=alert(1)>' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool-pay', state: 'approval-responded', input: [1], approval: { approved: true } }],
      },
    ]);
    expect(skipped).toBe(2);
    expect(messages.flatMap(({ content }) => content)).toMatchObject([
      { type: 'text', text: '<img onerror=alert(1)>' },
      { type: 'tool', status: 'cancelled' },
    ]);
  });
});
