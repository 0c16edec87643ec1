import { lastValueFrom } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { toAnthropicBody } from '../../../src/llm/wires/anthropic/request.ts';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { defineOutput } from '../../../src/llm/output/output.ts';
import type { LLMRequest } from '../../../src/core/model/llm.ts';
import type { Json } from '../../../src/core/json.ts';
import type { Message, Part, Role, ToolPart } from '../../../src/core/model/message.ts';
import { createAnthropicClient } from '../../../src/llm/wires/anthropic/index.ts';
import { bytes, type Heard, hear } from '../../support/llm-answer.ts';
import { startServer, stream, type TestServer } from '../../support/llm-server.ts';

const events = (...all: object[]): string =>
  all.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const listen = (...all: object[]): Heard => hear([bytes(events(...all))], createAnthropicReader);
const start = { type: 'message_start', message: { model: 'claude', usage: { input_tokens: 9, output_tokens: 1 } } };
const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const end = (stop_reason: string): object[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

describe('an answer of /v1/messages', () => {
  test('emits thinking with its signature, text, sources and usage', () => {
    const heard = listen(
      start,
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'signature_delta', signature: 's1' },
      ),
      { type: 'ping' },
      ...block(1, { type: 'redacted_thinking', data: 'xyz' }),
      ...block(
        2,
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'hi' },
        {
          type: 'citations_delta',
          citation: { type: 'web_search_result_location', url: 'https://a.test', title: 'A' },
        },
      ),
      ...end('end_turn'),
    );
    expect(heard).toMatchObject({
      reasoning: 'hm',
      providers: [{ anthropic: { signature: 's1' } }, { anthropic: { redacted: 'xyz' } }],
      text: 'hi',
      parts: [{ type: 'source', url: 'https://a.test', title: 'A' }],
      usage: { input: 9, output: 5 },
      finish: 'stop',
      raw: 'end_turn',
      model: 'claude',
    });
  });

  test('emits calls, with input in pieces, whole or missing', () => {
    const heard = listen(
      start,
      ...block(
        0,
        { type: 'tool_use', id: 'a', name: 'add', input: {} },
        { type: 'input_json_delta', partial_json: '{"x"' },
        { type: 'input_json_delta', partial_json: ':1}' },
      ),
      ...block(1, { type: 'tool_use', id: 'b', name: 'add', input: { x: 2 }, caller: { type: 'direct' } }),
      ...block(
        2,
        { type: 'tool_use', id: 'c', name: 'now', input: {} },
        { type: 'input_json_delta', partial_json: '' },
      ),
      ...end('tool_use'),
    );
    expect(heard).toMatchObject({
      calls: [
        { name: 'add', inputText: '{"x":1}', id: 'a' },
        { name: 'add', inputText: '{"x":2}', id: 'b', provider: { anthropic: { caller: { type: 'direct' } } } },
        { name: 'now', inputText: '{}', id: 'c' },
      ],
      finish: 'tool-calls',
    });
  });

  test('emits tools that ran at the provider as parts, and calls none of them', () => {
    const heard = listen(
      start,
      ...block(
        0,
        { type: 'server_tool_use', id: 'a', name: 'web_search', input: {} },
        { type: 'input_json_delta', partial_json: '{"query":"x"}' },
      ),
      ...block(1, { type: 'web_search_tool_result', tool_use_id: 'a', content: [] }),
      ...end('end_turn'),
    );
    expect(heard.calls).toEqual([]);
    expect(heard.parts).toEqual([
      {
        type: 'provider',
        name: 'server_tool_use',
        data: { type: 'server_tool_use', id: 'a', name: 'web_search', input: { query: 'x' } },
      },
      {
        type: 'provider',
        name: 'web_search_tool_result',
        data: { type: 'web_search_tool_result', tool_use_id: 'a', content: [] },
      },
    ]);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'pause'],
    ['model_context_window_exceeded', 'length'],
  ])('maps stop_reason %s to %s', (raw, finish) => {
    expect(listen(start, ...block(0, { type: 'text', text: 'hi' }), ...end(raw))).toMatchObject({
      text: 'hi',
      finish,
      raw,
    });
  });

  test('errors with STREAM_INTERRUPTED without a stop reason', () => {
    expect(listen(start, ...block(0, { type: 'text', text: 'hi' }))).toMatchObject({
      text: 'hi',
      error: { code: 'STREAM_INTERRUPTED', retryable: false },
    });
    expect(listen(start).error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
  });

  test('errors with the error of the service', () => {
    expect(
      listen(start, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }).error,
    ).toMatchObject({ code: 'OVERLOADED', retryable: true });
  });

  test('may be one whole message', () => {
    const whole = {
      type: 'message',
      model: 'claude',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'hi' },
        { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    expect(hear([bytes(JSON.stringify(whole))], createAnthropicReader)).toMatchObject({
      reasoning: 'hm',
      providers: [{ anthropic: { signature: 's' } }],
      text: 'hi',
      calls: [{ name: 'f', inputText: '{"x":1}', id: 'a' }],
      finish: 'tool-calls',
      usage: { input: 1, output: 2 },
    });
  });

  test('is read as far as possible with a delta before its block, or blocks that never end', () => {
    expect(
      listen({ type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'hi' } }, ...end('end_turn')),
    ).toMatchObject({ text: 'hi' });
    expect(
      listen(
        start,
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'f' } },
        ...end('tool_use'),
      ),
    ).toMatchObject({ calls: [{ inputText: '{}' }] });
  });
});

const message = (role: Role, ...content: (Part | string)[]): Message => ({
  id: 'm',
  role,
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  timestamp: 0,
});
const tool = (fields: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c1',
  name: 'add',
  status: 'succeeded',
  inputText: '{"a":1}',
  input: { a: 1 },
  output: 3,
  ...fields,
});
const body = (messages: readonly Message[], more: Partial<LLMRequest> = {}): Json =>
  JSON.parse(
    JSON.stringify(toAnthropicBody({ sessionId: 's', messages, ...more }, { model: 'm', maxTokens: 8, cache: false })),
  ) as Json;

describe('a request for /v1/messages', () => {
  test('contains a token limit, instructions as system, and tools', () => {
    const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
    expect(
      body([message('system', 'be good'), message('user', 'hi'), message('system', 'still')], {
        tools,
        temperature: 0,
        providerParams: { top_k: 1 },
      }),
    ).toEqual({
      model: 'm',
      max_tokens: 8,
      stream: true,
      temperature: 0,
      system: [{ type: 'text', text: 'be good' }],
      tools: [{ name: 'add', description: 'Adds.', input_schema: { type: 'object' } }],
      top_k: 1,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'user', content: [{ type: 'text', text: 'still' }] },
      ],
    });
    expect(body([], { maxTokens: 3 })).toMatchObject({ max_tokens: 3 });
  });

  test('contains each call with its result directly after it, and thinking only with its signature', () => {
    const thought: Part = { type: 'reasoning', text: 'hm', provider: { anthropic: { signature: 's' } } };
    const foreign: Part = { type: 'reasoning', text: 'hm', provider: { 'chat-completions': {} } };
    const ran: Part = { type: 'provider', name: 'server_tool_use', data: { type: 'server_tool_use', id: 'x' } };
    const alien: Part = { type: 'provider', name: 'web_search_call', data: { type: 'web_search_call' } };
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    const { messages } = body([
      message(
        'assistant',
        thought,
        foreign,
        { type: 'reasoning', text: '', provider: { anthropic: { redacted: 'x' } } },
        ran,
        alien,
        'So.',
        tool({ provider: { anthropic: { caller: { type: 'direct' } } } }),
        tool({ callId: 'c2', status: 'failed', output: 'No.' }),
      ),
      message('assistant', tool({ output: [image] })),
    ]) as { messages: Json };
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'server_tool_use', id: 'x' },
          { type: 'text', text: 'So.' },
          { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 }, caller: { type: 'direct' } },
          { type: 'tool_use', id: 'c2', name: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: '3' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'No.', is_error: true },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [
              { type: 'text', text: '[image]' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            ],
          },
        ],
      },
    ]);
  });

  test.each<[Part, Json]>([
    [
      { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' },
      { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', data: 'AA', name: 'a.pdf' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' }, title: 'a.pdf' },
    ],
    [
      { type: 'audio', mediaType: 'audio/wav', data: 'AA' },
      { type: 'text', text: '[audio]' },
    ],
    [
      { type: 'text', text: ' ' },
      { type: 'text', text: '(empty)' },
    ],
  ])('maps %j', (part, expected) => {
    expect(body([message('user', part)])).toMatchObject({ messages: [{ content: [expected] }] });
  });

  test.each<[Part, Json]>([
    [
      { type: 'image', mediaType: 'image/jpg', data: 'AA' },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA' } },
    ],
    [
      { type: 'image', mediaType: 'image/*', url: 'data:image/webp;base64,AA' },
      { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'AA' } },
    ],
    [
      { type: 'image', mediaType: 'image/svg+xml', data: 'AA', name: 'a.svg' },
      { type: 'text', text: '[image: a.svg]' },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/a.pdf' },
      { type: 'document', source: { type: 'url', url: 'https://a.test/a.pdf' } },
    ],
    [
      { type: 'file', mediaType: 'application/msword', data: 'AA', name: 'a.doc' },
      { type: 'text', text: '[file: a.doc]' },
    ],
    [
      { type: 'file', mediaType: 'text/plain', data: btoa('hi'), name: 'a.txt' },
      { type: 'text', text: 'a.txt:\nhi' },
    ],
    [
      { type: 'source', url: 'https://a.test' },
      { type: 'text', text: 'https://a.test' },
    ],
  ])('maps the media %j', (part, expected) => {
    expect(body([message('user', part)])).toMatchObject({ messages: [{ role: 'user', content: [expected] }] });
    expect(body([message('system', part, { type: 'image', mediaType: 'image/png', data: 'AA' })])).toMatchObject({
      messages: [{ role: 'user', content: [expected, { type: 'image' }] }],
    });
  });

  test('contains media of the model in a user message, after the results', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    expect(body([message('assistant', tool(), image), message('assistant', image)])).toMatchObject({
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use' }] },
        { role: 'user', content: [{ type: 'tool_result' }, { type: 'text' }, { type: 'image' }] },
        { role: 'user', content: [{ type: 'text' }, { type: 'image' }] },
      ],
    });
  });

  test('contains the schema of the answer beside the caller’s output parameters', () => {
    const output = defineOutput({ schema: { type: 'object', properties: { a: { type: 'number', minimum: 1 } } } });
    expect(body([], { output, providerParams: { output_config: { effort: 'low' } } })).toMatchObject({
      output_config: {
        effort: 'low',
        format: {
          type: 'json_schema',
          // Anthropic refuses bounds: the description contains them.
          schema: { properties: { a: { type: 'number', description: '{"minimum":1}' } }, additionalProperties: false },
        },
      },
    });
  });

  test('contains no blank text and no empty reply', () => {
    expect(body([message('assistant', ' \n'), message('assistant')])).toMatchObject({ messages: [] });
  });
});

describe('cache marks', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
  const cached = (messages: readonly Message[], more: Partial<LLMRequest> = {}): Json =>
    JSON.parse(
      JSON.stringify(toAnthropicBody({ sessionId: 's', messages, ...more }, { model: 'm', maxTokens: 8, cache: true })),
    ) as Json;
  const thought: Part = { type: 'reasoning', text: 'hm', provider: { anthropic: { signature: 's' } } };
  const talk = [
    message('system', 'be good'),
    message('user', 'one'),
    message('assistant', thought, tool()),
    message('assistant', 'Three.'),
    message('user', 'two', 'more'),
    message('assistant', tool({ callId: 'c2' }), tool({ callId: 'c3' }), thought),
  ];
  const count = (body: Json): number => JSON.stringify(body).split('"cache_control"').length - 1;

  test('are at the end of the tools, the instructions and the two newest user turns: four, never on thinking', () => {
    const body = cached(talk, {
      tools,
      providerParams: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    });
    expect(count(body)).toBe(4);
    expect(body).toMatchObject({
      tools: [{ name: 'add' }, { name: 'web_search', ...mark }],
      system: [{ text: 'be good', ...mark }],
      messages: [
        { content: [{ text: 'one' }] },
        { role: 'assistant' },
        { content: [{ type: 'tool_result' }] },
        { role: 'assistant' },
        { content: [{ text: 'two' }, { text: 'more', ...mark }] },
        { role: 'assistant' },
        { content: [{ tool_use_id: 'c2' }, { tool_use_id: 'c3', ...mark }] },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/"(thinking|signature)":"\w*","cache_control"/);
  });

  test('are at most four for every conversation, and none for an empty one', () => {
    for (let length = 0; length <= talk.length; length += 1) {
      const body = cached(talk.slice(0, length), { tools });
      expect(count(body)).toBeLessThanOrEqual(4);
    }
    expect(count(cached([]))).toBe(0);
  });

  test('change nothing else, so that each request begins like the previous one', () => {
    const bare = (length: number): string =>
      JSON.stringify(cached(talk.slice(0, length))).replaceAll(`,"cache_control":{"type":"ephemeral"}`, '');
    for (let length = 1; length < talk.length; length += 1)
      expect(bare(length + 1).startsWith(bare(length).slice(0, -2))).toBe(true);
    expect(bare(talk.length)).toBe(JSON.stringify(body(talk)));
  });

  test('are replaced by the caller’s own', () => {
    expect(count(cached(talk, { tools, providerParams: { cache_control: { type: 'ephemeral' } } }))).toBe(1);
  });
});

test('reports cache reads and writes separately from the input', () => {
  const usage = { input_tokens: 6, cache_creation_input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 1 };
  const heard = listen(
    { type: 'message_start', message: { model: 'claude', usage } },
    ...block(0, { type: 'text', text: 'hi' }),
    ...end('end_turn'),
  );
  expect(heard.usage).toEqual({ input: 6, output: 5, cacheRead: 60, cacheWritten: 30 });
});

describe('the client', () => {
  const servers: TestServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  test('sends the header for browsers, and the key in a header of its own', async () => {
    const server = await startServer(
      (response) => (
        stream(response, events(start, ...block(0, { type: 'text', text: 'hi' }), ...end('end_turn'))),
        response.end()
      ),
    );
    servers.push(server);
    const client = createAnthropicClient({ baseURL: server.url, apiKey: 'sk-ant-1', model: 'm' });
    expect(
      await lastValueFrom(client.sendRequest({ sessionId: 's', messages: [message('user', 'hi')] })),
    ).toMatchObject({ type: 'finish', reason: 'stop' });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: {
        'x-api-key': 'sk-ant-1',
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
      },
    });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});
