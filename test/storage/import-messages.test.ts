import { createAgent, type Message } from 'brooklet';
import { createMemoryStore, importMessages, importSessions, exportSession } from 'brooklet/storage';
import { createReview } from 'brooklet/review';
import { createScriptedClient, reply } from 'brooklet/testing';
import { readClaudeCode, readCodex, readGeminiCli } from 'brooklet/tools';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { recorded } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';

const chat = [
  { role: 'developer', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is in the picture?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
      { type: 'image_url', image_url: { url: 'https://example.com/x.png' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"picture"}' } },
      { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{"at":' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'An otter' },
  { role: 'assistant', content: 'An otter.' },
];

async function imported(source: string | readonly unknown[]) {
  const store = createMemoryStore();
  const report = await importMessages(store, source, { sessionId: 's', timestamp: 1_000 });
  const stored = await store.read('s');
  if (!stored) return expect.unreachable();
  const agent = createAgent({ client: createScriptedClient([]), store });
  const messages = (await agent.openSession('s')).getMessages();
  return { store, report, stored, messages };
}

const shown = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => [
    role,
    ...content.map((part) =>
      part.type === 'tool'
        ? `${part.name} ${part.inputText} ${part.status} ${JSON.stringify(part.output)}`
        : part.type === 'text'
          ? part.text
          : part.type,
    ),
  ]);

describe('messages of chat completions', () => {
  const expected = [
    ['system', 'Be brief.'],
    ['user', 'What is in the picture?', 'image', 'image'],
    ['assistant', 'look {"at":"picture"} succeeded "An otter"', 'look {"at": cancelled undefined'],
    ['assistant', 'An otter.'],
  ];

  test.each([
    ['a list', chat],
    ['a JSON array', JSON.stringify(chat)],
    ['a request', JSON.stringify({ model: 'x', messages: chat }, undefined, 2)],
    ['JSON Lines', chat.map((message) => JSON.stringify(message)).join('\r\n')],
    ['a line of a training file', `${JSON.stringify({ messages: chat })}\n`],
  ])('are read from %s', async (_what, source) => {
    const { messages, report } = await imported(source);
    expect(shown(messages)).toEqual(expected);
    expect(report).toEqual({ sessionId: 's', messages: 4, skipped: 0, leftOut: [] });
  });

  test('become a session that is listed, found, reviewed, exported and imported', async () => {
    const { store, stored, messages } = await imported(chat);
    expect((await store.list({ search: 'otter' })).sessions).toEqual([stored.summary]);
    expect(stored.summary).toMatchObject({
      title: 'What is in the picture?',
      messageCount: 4,
      status: 'idle',
      updatedAt: 1_000,
    });
    expect(createReview(stored.events).stateAt(3).messages).toEqual(messages.slice(0, 2));
    const copy = createMemoryStore();
    expect((await importSessions(copy, exportSession(stored))).problems).toEqual([]);
    // An import begins a lineage of its own.
    expect(await copy.read('s')).toEqual({ ...stored, writeId: expect.not.stringMatching(stored.writeId ?? '') });
  });

  test('keep media as parts: data URLs as data, others as addresses', async () => {
    const { messages } = await imported(chat);
    expect(messages[1]?.content.slice(1)).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
      { type: 'image', mediaType: 'image/*', url: 'https://example.com/x.png' },
    ]);
  });

  test('never run a call, whatever a person presses', async () => {
    const { store } = await imported(chat);
    const { tool, runs } = recorded('look', { idempotent: true });
    const agent = createAgent({ client: createScriptedClient([[reply.text('Hi')]]), tools: [tool], store });
    const session = await agent.openSession('s');
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }));
    await expect(session.approve('call_2')).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    await session.send('Go on');
    expect(runs).toEqual([]);
    expect(session.getMessages()).toHaveLength(6);
  });
});

describe('the log of another agent', () => {
  test('of Claude Code is a session', async () => {
    const lines = [
      { type: 'system', subtype: 'init' },
      { type: 'user', message: { role: 'user', content: 'List' }, timestamp: '2026-01-01T00:00:00Z' },
      {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm' },
            { type: 'text', text: 'Yes.' },
            { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
          ],
        },
        timestamp: '2026-01-01T00:00:01Z',
      },
      {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }] },
      },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'One file.' }] } },
    ];
    const { messages, report } = await imported(lines.flatMap((line) => readClaudeCode(line)));
    expect(shown(messages)).toEqual([
      ['user', 'List'],
      ['assistant', 'reasoning', 'Yes.', 'Bash {"command":"ls"} succeeded "a.txt"'],
      ['assistant', 'One file.'],
    ]);
    expect([report.skipped, messages[0]?.timestamp]).toEqual([1, Date.UTC(2026, 0, 1)]);
  });

  test('of Codex is a session', async () => {
    const lines = [
      { type: 'thread.started', thread_id: 'x' },
      { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'Hm' } },
      { type: 'item.started', item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' } },
      {
        type: 'item.completed',
        item: {
          id: 'i1',
          type: 'command_execution',
          command: 'ls',
          aggregated_output: 'a.txt',
          exit_code: 0,
          status: 'completed',
        },
      },
      { type: 'item.completed', item: { id: 'i2', type: 'web_search', query: 'otter' } },
      { type: 'item.completed', item: { id: 'i3', type: 'agent_message', text: 'One file.' } },
    ];
    const { messages, report } = await imported(lines.flatMap((line) => readCodex(line)));
    expect(shown(messages)).toEqual([
      [
        'assistant',
        'reasoning',
        'shell {"command":"ls"} succeeded "a.txt"',
        'web_search {"query":"otter"} succeeded ""',
      ],
      ['assistant', 'One file.'],
    ]);
    expect(report.skipped).toBe(1);
  });

  test('of Gemini CLI is a session', async () => {
    const lines = [
      { type: 'init', session_id: 'x', timestamp: '2026-01-01T00:00:00Z' },
      { type: 'message', role: 'user', content: 'List', timestamp: '2026-01-01T00:00:00Z' },
      { type: 'tool_use', tool_name: 'list', tool_id: 'g1', parameters: { path: '.' } },
      { type: 'tool_result', tool_id: 'g1', status: 'error', error: { type: 'x', message: 'no' } },
      { type: 'message', role: 'assistant', content: 'It failed.' },
    ];
    const { messages } = await imported(lines.flatMap((line) => readGeminiCli(line)));
    expect(shown(messages)).toEqual([
      ['user', 'List'],
      ['assistant', 'list {"path":"."} failed "no"'],
      ['assistant', 'It failed.'],
    ]);
  });

  test('as complete executions is a session', async () => {
    const execution = {
      type: 'tool_execution',
      toolName: 'ls',
      toolUseId: 'x',
      input: {},
      output: 'a',
      isError: false,
      durationMs: 5,
      summary: '1 file',
      timestamp: 7,
    };
    const { messages } = await imported([execution, execution]);
    expect(messages).toMatchObject([
      {
        role: 'assistant',
        content: [
          { callId: 'x', name: 'ls', status: 'succeeded', durationMs: 5, startedAt: 7, summary: '1 file' },
          { callId: "x'", status: 'succeeded' },
        ],
      },
    ]);
  });
});

describe('a source that is refused', () => {
  test.each([
    ['no message', [{ type: 'init' }], 'contains no message'],
    ['an empty text', '', 'contains no message'],
    ['text that is no JSON', 'Hello', 'Line 1 of the source is not JSON'],
    ['text that is nested too deeply', '['.repeat(100_000), 'nested deeper'],
    ['an item that is no JSON', [{ role: 'user', content: 'x', at: () => 1 }], 'not JSON'],
    [
      'a name that is too long',
      [{ type: 'tool_use', id: 'a', name: 'x'.repeat(2_000), input: {} }],
      'message.content.0.name is longer',
    ],
  ])('with %s stores nothing', async (_what, source, reason) => {
    const store = createMemoryStore();
    const problem = { code: 'INVALID_INPUT', message: expect.stringContaining(reason) };
    await expect(importMessages(store, source)).rejects.toMatchObject(problem);
    expect(await store.list()).toEqual({ sessions: [] });
  });

  test('with the id of a stored session leaves that session alone', async () => {
    const { store, stored } = await imported(chat);
    await expect(importMessages(store, [{ role: 'user', content: 'x' }], { sessionId: 's' })).rejects.toMatchObject({
      code: 'STORAGE_CONFLICT',
    });
    expect(await store.read('s')).toEqual(stored);
  });
});

describe('a long list', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Counts the tasks in which the messages are imported. */
  async function tasksFor(source: string | readonly unknown[]): Promise<number> {
    let tasks = 1;
    const Channel = MessageChannel;
    vi.stubGlobal(
      'MessageChannel',
      class extends Channel {
        constructor() {
          super();
          tasks++;
        }
      },
    );
    await importMessages(createMemoryStore(), source);
    vi.unstubAllGlobals();
    return tasks;
  }

  const many = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'x'.repeat(400) }));

  test.each<[string, (count: number) => string | readonly unknown[]]>([
    ['of messages', many],
    [
      'of lines',
      (count) =>
        many(count)
          .map((one) => JSON.stringify(one))
          .join('\n'),
    ],
  ])('%s is imported in short tasks, in proportion to its length', async (_what, source) => {
    // A message costs 900 characters to read, 500 to convert, 500 to check and 125 to reduce; a task has 250,000.
    const [few, most] = [await tasksFor(source(2_000)), await tasksFor(source(10_000))];
    expect(few).toBeGreaterThanOrEqual(16);
    expect(most).toBeGreaterThanOrEqual(5 * few - 5);
  });
});

test.each<[string, unknown]>([
  ['a list', JSON.stringify(chat)],
  ['a document', JSON.stringify({ messages: chat })],
  ['lines', chat.map((item) => JSON.stringify(item)).join('\n')],
])('the same messages come out of %s', async (_what, text) => {
  const store = createMemoryStore();
  const report = await importMessages(store, String(text), { sessionId: 's', title: 'A talk' });
  expect(report.messages).toBe((await imported(chat)).report.messages);
  expect((await store.list()).sessions).toMatchObject([{ id: 's', title: 'A talk' }]);
});

test.each([[7], [undefined], [{ messages: chat }]])('a source that is %j is refused', async (source) => {
  await expect(importMessages(createMemoryStore(), untyped(source))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
