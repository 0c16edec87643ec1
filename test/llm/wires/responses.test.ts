import { lastValueFrom } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { createResponsesClient } from '../../../src/llm/wires/responses/client.ts';
import { toResponsesBody } from '../../../src/llm/wires/responses/request.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { defineOutput } from '../../../src/llm/output/output.ts';
import type { LLMRequest } from '../../../src/core/model/llm.ts';
import type { Json } from '../../../src/core/json.ts';
import type { Message, Part, Role, ToolPart } from '../../../src/core/model/message.ts';
import { bytes, frame, type Heard, hear } from '../../support/llm-answer.ts';
import { startServer, stream, type TestServer } from '../../support/llm-server.ts';

const listen = (...events: object[]): Heard => hear([bytes(frame(events, { done: false }))], createResponsesReader);
const created = { type: 'response.created', response: { model: 'gpt', status: 'in_progress' } };
const added = (output_index: number, item: object): object => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (output_index: number, item: object): object => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const ended = (status: string, more: object = {}): object => ({
  type: `response.${status}`,
  response: {
    status,
    usage: {
      input_tokens: 9,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    ...more,
  },
});

describe('an answer of /responses', () => {
  test('emits reasoning, encrypted where requested, text, sources and usage', () => {
    const thought = {
      type: 'reasoning',
      id: 'rs',
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: 'xyz',
    };
    const heard = listen(
      created,
      added(0, { type: 'reasoning', id: 'rs', summary: [] }),
      { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'hm' },
      done(0, thought),
      added(1, { type: 'message' }),
      { type: 'response.output_text.delta', output_index: 1, delta: 'hi' },
      {
        type: 'response.output_text.annotation.added',
        output_index: 1,
        annotation: { type: 'url_citation', url: 'https://a.test', title: 'A' },
      },
      done(1, { type: 'message', content: [{ type: 'output_text', text: 'hi' }] }),
      ended('completed'),
    );
    expect(heard).toMatchObject({
      reasoning: 'hm',
      providers: [{ responses: thought }],
      text: 'hi',
      parts: [{ type: 'source', url: 'https://a.test', title: 'A' }],
      usage: { input: 9, output: 5, cached: 4, reasoning: 2 },
      finish: 'stop',
      raw: 'completed',
      model: 'gpt',
    });
  });

  test('emits calls, with input in pieces or only at the end', () => {
    const heard = listen(
      added(0, { type: 'function_call', call_id: 'a', name: 'f', arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x"' },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: ':1}' },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"x":1}' },
      done(0, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' }),
      added(1, { type: 'function_call', call_id: 'b', name: 'f', arguments: '' }),
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"x":2}' },
      done(2, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"x":3}' }),
      ended('completed'),
    );
    expect(heard.calls).toEqual([1, 2, 3].map((x, at) => ({ name: 'f', inputText: `{"x":${x}}`, id: 'abc'[at] })));
    expect(heard.finish).toBe('tool-calls');
  });

  test('emits tools that ran at the provider as parts, and images as images', () => {
    const search = { type: 'web_search_call', id: 'ws', status: 'completed' };
    const heard = listen(
      done(0, search),
      done(1, { type: 'image_generation_call', id: 'ig', result: 'AAAA', output_format: 'webp' }),
      ended('completed'),
    );
    expect(heard.calls).toEqual([]);
    expect(heard.parts).toEqual([
      { type: 'provider', name: 'web_search_call', data: search },
      { type: 'image', mediaType: 'image/webp', data: 'AAAA' },
      {
        type: 'provider',
        name: 'image_generation_call',
        data: { type: 'image_generation_call', id: 'ig', output_format: 'webp' },
      },
    ]);
  });

  test('may be incomplete, or a refusal', () => {
    expect(listen(ended('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }))).toMatchObject({
      finish: 'length',
      raw: 'max_output_tokens',
    });
    expect(listen(ended('incomplete', { incomplete_details: { reason: 'content_filter' } }))).toMatchObject({
      finish: 'content-filter',
    });
    expect(listen({ type: 'response.refusal.delta', output_index: 0, delta: 'No.' }, ended('completed'))).toMatchObject(
      { text: 'No.' },
    );
  });

  test('errors where the response failed', () => {
    expect(
      listen(created, ended('failed', { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } })).error,
    ).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(listen(created, { type: 'error', code: 'server_error', message: 'Oops.' }).error).toMatchObject({
      code: 'LLM_API_ERROR',
    });
  });

  test('errors with STREAM_INTERRUPTED where it stops before it is completed', () => {
    expect(listen(created, { type: 'response.output_text.delta', output_index: 0, delta: 'hi' })).toMatchObject({
      text: 'hi',
      error: { code: 'STREAM_INTERRUPTED', retryable: false },
    });
  });

  test('may be one whole response', () => {
    const output = [
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
    ];
    const whole = {
      object: 'response',
      status: 'completed',
      model: 'gpt',
      output,
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    expect(hear([bytes(JSON.stringify(whole))], createResponsesReader)).toMatchObject({
      reasoning: 'hm',
      text: 'hi',
      calls: [{ name: 'f', id: 'a' }],
      finish: 'tool-calls',
    });
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
const body = (messages: readonly Message[], more: Partial<LLMRequest> = {}, sealedReasoning = false): Json =>
  JSON.parse(
    JSON.stringify(toResponsesBody({ sessionId: 's', messages, ...more }, { model: 'm', sealedReasoning })),
  ) as Json;

describe('a request for /responses', () => {
  test('stores nothing, and contains the fields of the request', () => {
    const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
    expect(
      body(
        [message('system', 'be good'), message('user', 'hi')],
        { tools, maxTokens: 5, temperature: 0, providerParams: { top_p: 1 } },
        true,
      ),
    ).toEqual({
      model: 'm',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 5,
      temperature: 0,
      tools: [{ type: 'function', name: 'add', description: 'Adds.', parameters: { type: 'object' }, strict: false }],
      top_p: 1,
      input: [
        { role: 'system', content: 'be good' },
        { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      ],
    });
  });

  test('contains each call with its result directly after it, and encrypted reasoning in its place', () => {
    const sealed: Part = {
      type: 'reasoning',
      text: 'hm',
      provider: { responses: { type: 'reasoning', id: 'rs', encrypted_content: 'x' } },
    };
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    expect(
      body([
        message(
          'assistant',
          sealed,
          { type: 'reasoning', text: 'open' },
          'So.',
          tool({ output: [image] }),
          tool({ callId: 'c2' }),
        ),
      ]),
    ).toMatchObject({
      input: [
        { type: 'reasoning', id: 'rs', encrypted_content: 'x' },
        { role: 'assistant', content: 'So.' },
        { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
        { type: 'function_call', call_id: 'c2', name: 'add', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c1', output: '[image]' },
        { type: 'function_call_output', call_id: 'c2', output: '3' },
        {
          role: 'user',
          content: [{ type: 'input_text' }, { type: 'input_image', image_url: 'data:image/png;base64,AA' }],
        },
      ],
    });
  });

  test.each<[Part, Json]>([
    [
      { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' },
      { type: 'input_image', image_url: 'https://a.test/b.png' },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', data: 'AA', name: 'a.pdf' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/a.pdf' },
      { type: 'input_file', file_url: 'https://a.test/a.pdf' },
    ],
    [
      { type: 'audio', mediaType: 'audio/wav', data: 'AA' },
      { type: 'input_text', text: '[audio]' },
    ],
    [
      { type: 'file', mediaType: 'text/markdown', data: btoa('# A'), name: 'a.md' },
      { type: 'input_text', text: 'a.md:\n# A' },
    ],
    [
      { type: 'source', url: 'https://a.test' },
      { type: 'input_text', text: 'https://a.test' },
    ],
  ])('maps %j', (part, expected) => {
    expect(body([message('user', part)])).toMatchObject({ input: [{ content: [expected] }] });
  });
});

describe('the client', () => {
  const servers: TestServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  test('sends requests to /responses with its key', async () => {
    const server = await startServer(
      (response) => (stream(response, frame([ended('completed')], { done: false })), response.end()),
    );
    servers.push(server);
    const client = createResponsesClient({ baseURL: server.url, apiKey: 'sk-1', model: 'm' });
    expect(
      await lastValueFrom(client.sendRequest({ sessionId: 's', messages: [message('user', 'hi')] })),
    ).toMatchObject({ type: 'finish', reason: 'stop' });
    expect(server.requests[0]).toMatchObject({ path: '/v1/responses', headers: { authorization: 'Bearer sk-1' } });
  });

  test('sends media of the model in a user message', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    expect(body([message('assistant', image)])).toMatchObject({
      input: [{ role: 'user', content: [{}, { type: 'input_image', image_url: 'data:image/png;base64,AA' }] }],
    });
  });

  test('sends instructions with media as a user message', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    expect(body([message('system', image)])).toMatchObject({ input: [{ role: 'user', content: [{}] }] });
  });

  test('sends the schema of the answer beside the caller’s text parameters', () => {
    const output = defineOutput({ schema: { type: 'object', properties: { a: { type: 'string' } } } });
    expect(body([], { output, providerParams: { text: { verbosity: 'low' } } })).toMatchObject({
      text: {
        verbosity: 'low',
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
          strict: false,
        },
      },
    });
  });

  test('lists the tools of the provider after those of the agent', () => {
    const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
    expect(body([], { tools, providerParams: { tools: [{ type: 'web_search' }] } })).toMatchObject({
      tools: [{ type: 'function', name: 'add' }, { type: 'web_search' }],
    });
  });

  test('sends items that ran at the provider back only with the encrypted reasoning that led to them', () => {
    const sealed: Part = {
      type: 'reasoning',
      text: 'hm',
      provider: { responses: { type: 'reasoning', id: 'rs', encrypted_content: 'x' } },
    };
    const ran = (name: string): Part => ({ type: 'provider', name, data: { type: name, id: name } });
    const parts = [ran('web_search_call'), ran('custom_tool_call'), ran('server_tool_use'), 'So.'];
    expect(body([message('assistant', sealed, ...parts)])).toMatchObject({
      input: [{ type: 'reasoning' }, { type: 'web_search_call', id: 'web_search_call' }, { content: 'So.' }],
    });
    expect(body([message('assistant', ...parts)])).toMatchObject({ input: [{ content: 'So.' }] });
  });
});

test('a request has no empty lists, no empty texts, and no option that is off', () => {
  const messages: Message[] = [
    { id: '1', role: 'user', content: [{ type: 'text', text: 'Go.' }], timestamp: 0 },
    {
      id: '2',
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'source', url: 'https://a.example/' },
      ],
      timestamp: 0,
    },
    {
      id: '3',
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'On.' },
      ],
      timestamp: 0,
    },
  ];
  const body = toResponsesBody({ sessionId: 's', messages }, { model: 'm' });
  expect(Object.entries(body).filter(([, value]) => Array.isArray(value) && value.length === 0)).toEqual([]);
  expect(body.include).toBeUndefined();
  expect(body.input).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
    { role: 'user', content: [{ type: 'input_text', text: 'On.' }] },
  ]);
});
