import { describe, expect, test } from 'vitest';
import { toChatBody } from '../../../src/llm/wires/chat-completions/request.ts';
import type { LLMRequest } from '../../../src/core/model/llm.ts';
import { type ChatCompat, toCompat } from '../../../src/llm/wires/chat-completions/compat.ts';
import { toList, toObject } from '../../../src/core/model/read-json.ts';
import { defineOutput } from '../../../src/llm/output/output.ts';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import {
  extractTextContent,
  type Message,
  type Part,
  type Role,
  type ToolPart,
} from '../../../src/core/model/message.ts';
import { withSchemaInWords } from '../../../src/llm/wires/chat-completions/structured-output.ts';

let ids = 0;
const message = (role: Role, ...content: (Part | string)[]): Message => ({
  id: `m${(ids += 1)}`,
  role,
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  timestamp: 0,
});
const tool = (fields: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c1',
  name: 'add',
  status: 'succeeded',
  inputText: '{"a": 1}',
  input: { a: 1 },
  output: 3,
  ...fields,
});

const body = (messages: readonly Message[], compat: ChatCompat = {}, more: Partial<LLMRequest> = {}): JsonObject =>
  toChatBody({ sessionId: 's', messages, ...more }, 'm', toCompat('api.test', compat));
const wire = (messages: readonly Message[], compat: ChatCompat = {}): Json | undefined =>
  body(messages, compat).messages;

describe('a request for /chat/completions', () => {
  test('contains the fields of the request, and no others', () => {
    expect(body([message('user', 'hi')])).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hi' }],
    });
    const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
    expect(
      body([], {}, { model: 'own', maxTokens: 5, temperature: 0, tools, providerParams: { top_p: 1, stream: false } }),
    ).toEqual({
      model: 'own',
      stream: false,
      stream_options: { include_usage: true },
      max_tokens: 5,
      temperature: 0,
      tools: [{ type: 'function', function: { name: 'add', description: 'Adds.', parameters: { type: 'object' } } }],
      top_p: 1,
      messages: [],
    });
  });

  test('contains no model where none is configured', () => {
    expect(
      'model' in JSON.parse(JSON.stringify(toChatBody({ sessionId: 's', messages: [] }, undefined, toCompat('x')))),
    ).toBe(false);
  });

  test('27: follows the compat options', () => {
    const profile = { maxTokens: 'max_completion_tokens', systemRole: 'developer', streamOptions: false } as const;
    expect(body([message('system', 'be good')], profile, { maxTokens: 5 })).toEqual({
      model: 'm',
      stream: true,
      max_completion_tokens: 5,
      messages: [{ role: 'developer', content: 'be good' }],
    });
  });

  test('contains text as one string, and a list only with other content', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
    expect(wire([message('user', 'a', 'b')])).toEqual([{ role: 'user', content: 'a\nb' }]);
    expect(wire([message('user', 'see', image)])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  test.each<[Part, Json]>([
    [
      { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' },
      { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
    ],
    [
      { type: 'audio', mediaType: 'audio/mpeg', data: 'AA' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
    ],
    [
      { type: 'audio', mediaType: 'audio/x-wav', data: 'AA' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', data: 'AA', name: 'a.pdf' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' } },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/a.pdf' },
      { type: 'text', text: '[file: https://a.test/a.pdf]' },
    ],
    [
      { type: 'image', mediaType: 'image/png' },
      { type: 'text', text: '[image]' },
    ],
    [
      { type: 'file', mediaType: 'text/csv', data: btoa('a,b'), name: 'a.csv' },
      { type: 'text', text: 'a.csv:\na,b' },
    ],
    [
      { type: 'source', url: 'https://a.test', title: 'A' },
      { type: 'text', text: 'A: https://a.test' },
    ],
  ])('maps %j', (part, expected) => {
    const image: Part = { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' };
    expect(wire([message('user', part, image)])).toMatchObject([{ role: 'user', content: [expected, {}] }]);
  });

  test('is one string where all attachments are text, or described by text', () => {
    const file: Part = { type: 'file', mediaType: 'application/json', data: btoa('{}'), name: 'a.json' };
    const sound: Part = { type: 'audio', mediaType: 'audio/wav', url: 'https://a.test/a.wav' };
    expect(wire([message('user', 'see', file, sound)])).toEqual([
      { role: 'user', content: 'see\na.json:\n{}\n[audio: https://a.test/a.wav]' },
    ]);
  });

  test('throws for an attachment that is not base64', () => {
    const broken: Part = { type: 'file', mediaType: 'text/plain', data: 'ä' };
    expect(() => wire([message('user', broken)])).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  test('contains media of the model in a user message: a reply may contain none', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    const attached = {
      role: 'user',
      content: [
        { type: 'text', text: 'Attached to the above:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ],
    };
    expect(wire([message('assistant', 'Here.', image)])).toMatchObject([
      { role: 'assistant', content: 'Here.' },
      attached,
    ]);
    expect(wire([message('assistant', image)])).toMatchObject([{ role: 'assistant', content: '[image]' }, attached]);
  });

  test('sends instructions with media as a user message', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
    expect(wire([message('system', 'Like this:', image)])).toMatchObject([{ role: 'user', content: [{}, {}] }]);
  });

  test('enforces a schema as the service supports it: by the schema, as any JSON, or in the instructions', () => {
    const output = defineOutput({
      name: 'city',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    };
    const ask = (structuredOutput: NonNullable<ChatCompat['structuredOutput']>, ...messages: Message[]): JsonObject =>
      JSON.parse(JSON.stringify(body(messages, { structuredOutput }, { output }))) as JsonObject;

    expect(ask('json_schema', message('user', 'hi'))).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema, strict: true } },
      messages: [{ role: 'user', content: 'hi' }],
    });
    const words = extractTextContent(withSchemaInWords([], output)[0] ?? '');
    const told = ask('json_object', message('system', 'Be brief.'), message('user', 'hi'));
    expect(told.response_format).toEqual({ type: 'json_object' });
    expect(told.messages).toEqual([
      { role: 'system', content: `Be brief.\n\n${words}` },
      { role: 'user', content: 'hi' },
    ]);
    expect(words).toContain(JSON.stringify(schema));
    const bare = ask('none', message('user', 'hi'));
    expect(bare).not.toHaveProperty('response_format');
    expect(bare.messages).toEqual([
      { role: 'system', content: words },
      { role: 'user', content: 'hi' },
    ]);
  });

  test('has plain schemas of tools where configured: a type at each place, and patterns in words', () => {
    const inputSchema: JsonObject = {
      type: 'object',
      description: 'd',
      properties: {
        any: {},
        code: { type: 'string', pattern: '\\d', description: 'A code.' },
        list: { type: 'array', items: {}, prefixItems: [{ description: 'p' }] },
        one: { anyOf: [{ pattern: 'x' }, { $ref: '#/$defs/A' }] },
        two: { oneOf: [{ enum: ['a', 1] }, { not: { type: 'null' } }] },
        all: { allOf: [{ type: 'null' }] },
        record: { type: 'object', additionalProperties: {} },
        open: { type: 'object', additionalProperties: true },
      },
      $defs: { A: {} },
    };
    const tools = [{ name: 'f', description: 'f', inputSchema }];
    const parameters = (compat: ChatCompat): Json | undefined =>
      toObject(toObject(toList(body([message('user', 'Hi')], compat, { tools }).tools)[0]).function).parameters;
    expect(parameters({})).toEqual(inputSchema);
    const type = ['string', 'number', 'boolean', 'object', 'array', 'null'];
    expect(parameters({ plainSchemas: true })).toEqual({
      type: 'object',
      description: 'd',
      properties: {
        any: { type },
        code: { type: 'string', description: 'A code.\n\nPattern: \\d' },
        list: { type: 'array', items: { type }, prefixItems: [{ type, description: 'p' }] },
        one: { anyOf: [{ type, description: 'Pattern: x' }, { $ref: '#/$defs/A' }] },
        two: { oneOf: [{ enum: ['a', 1] }, { not: { type: 'null' } }] },
        all: { allOf: [{ type: 'null' }] },
        record: { type: 'object', additionalProperties: { type } },
        open: { type: 'object', additionalProperties: true },
      },
      $defs: { A: { type } },
    });
    expect(toCompat('api.moonshot.ai').plainSchemas).toBe(true);
  });

  test('lists the tools of the provider after those of the agent', () => {
    const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }];
    const search = { type: 'browser_search' };
    expect(body([], {}, { tools, providerParams: { tools: [search] } }).tools).toEqual([
      { type: 'function', function: { name: 'add', description: 'Adds.', parameters: { type: 'object' } } },
      search,
    ]);
  });

  test('contains each call with its result directly after it, in order', () => {
    const calls = [tool(), tool({ callId: 'c2', name: 'now', inputText: '{}', input: {}, output: 'noon' })];
    expect(
      wire([message('user', 'hi'), message('assistant', 'Let me see.', ...calls), message('assistant', 'Done.')]),
    ).toEqual([
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": 1}' } },
          { id: 'c2', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '3' },
      { role: 'tool', tool_call_id: 'c2', content: 'noon' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  test('contains null, or the configured content, where an assistant message only calls tools', () => {
    expect(wire([message('assistant', tool())])).toMatchObject([{ content: null }, {}]);
    expect(wire([message('assistant', tool())], { noContent: '' })).toMatchObject([{ content: '' }, {}]);
  });

  test('contains no empty reply', () => {
    expect(wire([message('assistant'), message('assistant', { type: 'reasoning', text: 'hm' })])).toEqual([]);
  });

  test('sends input that is not JSON as {}, so that this and every later request is valid', () => {
    const { input: _, ...broken } = tool({ status: 'invalid', inputText: '{"a":', output: 'Not JSON.' });
    expect(wire([message('assistant', broken)])).toMatchObject([
      { tool_calls: [{ function: { arguments: '{}' } }] },
      { content: 'Not JSON.' },
    ]);
  });

  test('sends invented tool names in a form that providers accept', () => {
    for (const name of ['', '__proto__', '3d', '-', 'a b\n\u202e', 'x'.repeat(1_000), '1'.repeat(1_000)]) {
      expect(JSON.stringify(wire([message('assistant', tool({ name }))]))).toMatch(/"name":"[A-Za-z][\w-]{0,63}"/);
    }
  });

  test('27: sends call ids of at most 40 plain characters, or nine for Mistral, the same in call and result', () => {
    for (const [shortCallIds, form] of [
      [false, /^[\w-]{1,40}$/],
      [true, /^[a-z\d]{9}$/i],
    ] as const) {
      for (const callId of ['c1', 'call_abc', 'x'.repeat(100), 'a/b', '', 'gSIMJiOkT', crypto.randomUUID()]) {
        const [reply, result] = wire([message('assistant', tool({ callId }))], { shortCallIds }) as unknown as [
          { tool_calls: { id: string }[] },
          { tool_call_id: string },
        ];
        expect(reply.tool_calls[0]?.id).toMatch(form);
        expect(result.tool_call_id).toBe(reply.tool_calls[0]?.id);
      }
    }
    const nine = new Set(
      Array.from(
        { length: 5_000 },
        (_, n) =>
          (
            wire([message('assistant', tool({ callId: `call_${n}` }))], { shortCallIds: true }) as unknown as {
              tool_call_id?: string;
            }[]
          )[1]?.tool_call_id,
      ),
    );
    expect(nine.size).toBe(5_000);
  });

  test('27: names the tool of a result where configured', () => {
    expect(wire([message('assistant', tool())], { resultName: true })).toMatchObject([
      {},
      { role: 'tool', name: 'add' },
    ]);
  });

  test('contains images of results in a message after all results', () => {
    const output: Part[] = [
      { type: 'text', text: 'Here.' },
      { type: 'image', mediaType: 'image/png', data: 'AA' },
    ];
    expect(wire([message('assistant', tool({ output }), tool({ callId: 'c2' }))])).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', content: 'Here.\n[image]' },
      { role: 'tool' },
      { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
    ]);
  });

  test('alternates turns where configured: merges user messages, and lets none follow a result', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' };
    const history = [
      message('user', 'a'),
      message('user', 'b', image),
      message('assistant', tool()),
      message('user', 'c'),
    ];
    const roles = (compat: ChatCompat) => (wire(history, compat) as readonly JsonObject[]).map(({ role }) => role);
    expect(roles({})).toEqual(['user', 'user', 'assistant', 'tool', 'user']);
    expect(roles({ alternate: true })).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect((wire(history, { alternate: true }) as readonly JsonObject[])[0]?.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
    ]);
  });

  test('17: sends reasoning back as configured', () => {
    const thought: Part = { type: 'reasoning', text: 'hm' };
    const history = [message('assistant', thought, 'hi'), message('assistant', thought, tool())];
    const fields = (compat: ChatCompat): unknown[] =>
      (wire(history, compat) as readonly JsonObject[]).map((one) => one.reasoning_content ?? one.reasoning);
    expect(fields({})).toEqual([undefined, undefined, undefined]);
    expect(fields({ reasoning: 'keep' })).toEqual(['hm', 'hm', undefined]);
    expect(fields({ reasoning: 'tool-turns', reasoningField: 'reasoning' })).toEqual([undefined, 'hm', undefined]);
  });

  test('17: sends the reasoning of the turns that call tools back in all later requests, where configured', () => {
    const thought: Part = { type: 'reasoning', text: 'hm' };
    const turn = (id: string, ...replies: Message[]): readonly Message[] => [
      { ...message('user', 'add'), id },
      ...replies,
    ];
    const messages = [
      ...turn('one', message('assistant', thought, tool()), message('assistant', thought, 'done')),
      ...turn('two', message('assistant', thought, 'hi')),
      ...turn('three', message('assistant', tool())),
    ];
    const thoughts = (compat: ChatCompat): unknown[] =>
      toList(toChatBody({ sessionId: 's', messages, promptId: 'three' }, 'm', compat).messages)
        .map(toObject)
        .filter(({ role }) => role === 'assistant')
        .map(({ reasoning_content: said }) => said);
    expect(thoughts({ reasoning: 'tool-turns' })).toEqual(['hm', 'hm', undefined, undefined]);
    // A call without reasoning, which another model made, is refused.
    expect(thoughts({ reasoning: 'required' })).toEqual(['hm', 'hm', undefined, '…']);
    expect(thoughts({ reasoning: 'keep' })).toEqual(['hm', 'hm', 'hm', undefined]);
    expect(thoughts(toCompat('api.deepseek.com'))).toEqual(thoughts({ reasoning: 'required' }));
    expect(thoughts(toCompat('api.moonshot.ai'))).toEqual(thoughts({ reasoning: 'required' }));
  });

  test('6, 16: sends opaque data back to its own wire, and to no other', () => {
    const own = { 'chat-completions': { extra_content: { google: { thought_signature: 's' } } } };
    const details = { 'chat-completions': { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] } };
    const history = [
      message('assistant', { type: 'reasoning', text: 'hm', provider: details }, tool({ provider: own })),
      message('assistant', tool({ provider: { anthropic: { signature: 's' } } })),
    ];
    const sent = JSON.stringify(wire(history, { reasoning: 'keep' }));
    expect(sent).toContain('"extra_content":{"google":{"thought_signature":"s"}}');
    expect(sent).toContain('"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]');
    expect(sent).not.toContain('signature":"s"}]');
    expect(sent).not.toContain('anthropic');
  });

  test('begins, to the byte, like the request of a shorter conversation', () => {
    const history = [
      message('system', 'be good'),
      message('user', 'hi'),
      message('assistant', 'a', tool()),
      message('assistant', 'b'),
      message('user', 'c'),
    ];
    let before = '';
    for (let length = 0; length <= history.length; length += 1) {
      const sent = JSON.stringify(body(history.slice(0, length), {}, { providerParams: { seed: 1 } }));
      expect(sent.startsWith(before)).toBe(true);
      before = sent.replace(/\]\}$/, '');
    }
  });

  test('is the same for the same messages, and changes none of them', () => {
    const history = [message('user', 'hi'), message('assistant', tool())];
    const copy = structuredClone(history);
    expect(JSON.stringify(body(history))).toBe(JSON.stringify(body(history)));
    expect(history).toEqual(copy);
  });
});

test('finds the options of a known host, and lets the caller override them', () => {
  expect(toCompat('api.openai.com').maxTokens).toBe('max_completion_tokens');
  expect(toCompat('x.openai.azure.com').maxTokens).toBe('max_completion_tokens');
  expect(toCompat('api.mistral.ai', { streamOptions: true })).toMatchObject({
    shortCallIds: true,
    streamOptions: true,
  });
  expect(toCompat('localhost:11434')).toEqual({});
});
