import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { toList, toObject, toText } from '../../src/core/model/read-json.ts';
import { strangeTools } from './mcp-server.ts';
import { services } from './services.ts';
import { refusalsOf, type ServiceSpec } from './service.ts';
import { call, createStage, words } from './situations.ts';

// The strict services refuse what they say: the requests of earlier versions, and one request that breaks each rule.

const specOf = (name: string): ServiceSpec => services[name] ?? expect.unreachable();
const headers = new Headers({ 'anthropic-version': 'x', 'anthropic-dangerous-direct-browser-access': 'true' });
const refused = (name: string, body: JsonObject, issued: readonly string[] = []): readonly string[] =>
  refusalsOf(specOf(name).rules, { body, headers, issued: new Set(issued) });

/** Plays a tool step and a second question, and returns the last request, changed. */
async function lastRequest(name: string, change: (message: JsonObject) => JsonObject) {
  const { service, ask } = await createStage(specOf(name));
  await ask('Add.', call(), words('Two.'));
  await ask('And?', words('Three.'));
  const body = service.requests.at(-1) ?? {};
  expect(refused(name, body, issuedIn(service.requests))).toEqual([]);
  return refused(
    name,
    { ...body, messages: toList(body.messages).map((message) => change(toObject(message))) },
    issuedIn(service.requests),
  );
}

/** What a service must have sent for the calls in these requests. */
function issuedIn(requests: readonly JsonObject[]): readonly string[] {
  return requests
    .flatMap(({ messages }) => toList(messages).flatMap((message) => toList(toObject(message).tool_calls)))
    .map((entry) => {
      const { id, function: called } = toObject(entry);
      const { name, arguments: input } = toObject(called);
      return `call ${toText(name)} ${toText(input)} ${toText(id)}`;
    });
}

describe('the requests of earlier versions are refused', () => {
  test.each(['deepseek', 'moonshot'])('by %s: without the reasoning of an earlier run (B2)', async (name) => {
    const refusals = await lastRequest(name, (message) => ({ ...message, reasoning_content: undefined }));
    expect(refusals.join()).toContain('reasoning_content is missing');
  });

  test('by Moonshot: with ids of their own (B3)', async () => {
    const refusals = await lastRequest('moonshot', (message) => {
      const calls = toList(message.tool_calls).map((entry) => ({ ...toObject(entry), id: 'ours' }));
      if (message.role === 'tool') return { ...message, tool_call_id: 'ours' };
      return calls.length > 0 ? { ...message, tool_calls: calls } : message;
    });
    expect(refusals.join()).toContain('came back as ours');
  });

  const messages = [{ role: 'user', content: 'As JSON.' }];
  const strict = (schema: JsonObject): JsonObject => ({
    model: 'm',
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'o', schema, strict: true } },
  });
  const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  });
  test.each<[string, JsonObject, string]>([
    [
      'words beside $ref',
      object({ home: { $ref: '#/$defs/A', description: 'where' } }, { $defs: { A: object({}) } }),
      '$ref cannot have keywords',
    ],
    ['a schema without a type', object({ any: {} }), "'type'"],
    ['a reference to definitions that are gone', object({ a: { $ref: '#/definitions/A' } }), 'cannot be resolved'],
  ])('by OpenAI: strict, with %s (B11)', (_, schema, words) => {
    expect(refused('openaiChat', strict(schema)).join()).toContain(words);
    expect(
      refused('openai', {
        model: 'm',
        input: messages,
        text: { format: { type: 'json_schema', name: 'o', schema, strict: true } },
      }).join(),
    ).toContain(words);
  });

  test('by Anthropic: a record that is open (B11)', () => {
    const schema = object({ counts: { type: 'object', additionalProperties: { type: 'number' } } });
    const body = { model: 'm', max_tokens: 9, messages, output_config: { format: { type: 'json_schema', schema } } };
    expect(refused('anthropic', body).join()).toContain('additionalProperties');
  });

  test.each<[string, JsonObject]>([
    ['an object without properties', { type: 'object' }],
    ['a list without items', { type: 'object', properties: { a: { type: 'array' } } }],
  ])('by OpenAI: a tool of an MCP server with %s (B11)', (_, parameters) => {
    const tools = [{ type: 'function', function: { name: 'a', description: 'd', parameters } }];
    expect(refused('openaiChat', { model: 'm', messages, tools }).join()).toContain('missing');
  });
});

const user = { role: 'user', content: 'Hello' };
const said = { role: 'assistant', content: 'Hi.' };
const called = (id: string, more: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' }, ...more }],
});
const result = (id: string, more: JsonObject = {}): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content: 'ok',
  ...more,
});
const chat = (...messages: readonly JsonObject[]): JsonObject => ({ model: 'm', messages });
const toolUse = (id: string): JsonObject => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'f', input: {} }],
});
const used = (id: string, more: JsonObject = {}): JsonObject => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...more }],
});
const anthropic = (...messages: readonly JsonObject[]): JsonObject => ({ model: 'm', max_tokens: 9, messages });
const input = (...items: readonly JsonObject[]): JsonObject => ({ model: 'm', input: items });
const call1 = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };

/** Requests by service, each of which breaks a rule. */
const broken: readonly (readonly [service: string, words: string, body: JsonObject])[] = [
  ['openaiChat', 'a result without its call', chat(user, result('a'))],
  ['openaiChat', 'a result without its call', chat(user, called('a'), user)],
  ['openaiChat', 'without content', chat(user, { role: 'assistant', content: '' }, user)],
  ['openaiChat', 'pictures in the result', chat(user, called('a'), result('a', { content: [{ type: 'image_url' }] }))],
  ['openaiChat', 'no JSON object', chat(user, called('a', { function: { name: 'f', arguments: '{' } }), result('a'))],
  [
    'openaiChat',
    'names of tools',
    chat(user, called('a', { function: { name: 'a.b', arguments: '{}' } }), result('a')),
  ],
  ['openaiChat', 'empty list of tools', { ...chat(user), tools: [] }],
  ['openaiChat', '40 characters', chat(user, called('x'.repeat(41)), result('x'.repeat(41)))],
  ['openaiChat', 'unknown parameters', { ...chat(user), thinking: {} }],
  ['openaiChat', 'max_tokens', { ...chat(user), max_tokens: 1 }],
  ['openaiChat', 'unknown fields', chat(user, { ...said, reasoning_content: 'Hm.' }, user)],
  ['deepseek', 'json_schema', { ...chat(user), response_format: { type: 'json_schema' } }],
  ['deepseek', 'json_schema', { ...chat(user), response_format: { type: 'json_object' } }],
  ['mistral', 'nine letters', chat(user, called('call_1'), result('call_1'))],
  ['mistral', "after role 'tool'", chat(user, called('aaaaaaaaa'), result('aaaaaaaaa'), user)],
  ['mistral', 'ends with the assistant', chat(user, said)],
  ['mistral', 'stream_options', { ...chat(user), stream_options: {} }],
  ['mistral', 'unknown fields', chat(user, called('aaaaaaaaa', { extra_content: {} }), result('aaaaaaaaa'))],
  ['groq', 'unknown fields', chat(user, { ...said, reasoning_content: 'Hm.' }, user)],
  ['gemini', 'name of its tool', chat(user, called('a'), result('a'))],
  ['gemini', 'signature', chat(user, called('a'), result('a', { name: 'f' }))],
  [
    'gemini',
    'signature',
    chat(user, called('a', { extra_content: { google: { thought_signature: 'x' } } }), result('a', { name: 'f' })),
  ],
  ['openrouter', 'reasoning details', chat(user, { ...said, reasoning_details: [{ signature: 'x' }] }, user)],
  ['llamacpp', 'content null', chat(user, called('a'), result('a'))],
  ['openai', 'without its call', input(user, call1)],
  ['openai', 'without its call', input(user, { type: 'function_call_output', call_id: 'a', output: '' })],
  [
    'openai',
    '64 characters',
    input({ ...call1, call_id: 'x'.repeat(65) }, { type: 'function_call_output', call_id: 'x'.repeat(65) }),
  ],
  ['openai', 'encrypted reasoning', input({ type: 'reasoning', encrypted_content: 'x' })],
  ['openai', 'a reference to an item', input({ type: 'item_reference', id: 'rs_1' })],
  ['openai', 'unknown parameters', { ...input(user), max_tokens: 1 }],
  ['openai', 'unknown parameters', input({ role: 'user', content: '' })],
  ['openai', 'pictures in an output', input({ role: 'assistant', content: [{ type: 'input_image' }] })],
  ['anthropic', 'max_tokens', { model: 'm', messages: [user] }],
  ['anthropic', 'begin with the user', anthropic(said, user)],
  ['anthropic', 'ends with the assistant', anthropic(user, said)],
  ['anthropic', 'without its result', anthropic(user, toolUse('a'), user)],
  ['anthropic', 'without its result', anthropic(user, used('a'))],
  [
    'anthropic',
    'results after other blocks',
    anthropic(user, toolUse('a'), {
      role: 'user',
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool_result', tool_use_id: 'a' },
      ],
    }),
  ],
  ['anthropic', 'ids beside letters', anthropic(user, toolUse('functions.f:0'), used('functions.f:0'))],
  ['anthropic', 'the same id twice', anthropic(user, toolUse('a'), used('a'), toolUse('a'), used('a'))],
  ['anthropic', 'blank text', anthropic({ role: 'user', content: [{ type: 'text', text: ' ' }] })],
  ['anthropic', 'empty result', anthropic(user, toolUse('a'), used('a', { is_error: true, content: '' }))],
  [
    'anthropic',
    'signature',
    anthropic(user, { role: 'assistant', content: [{ type: 'thinking', signature: 'x' }] }, user),
  ],
  ['anthropic', 'pictures in messages', anthropic(user, { role: 'assistant', content: [{ type: 'image' }] }, user)],
];

test.each(broken)('%s refuses: %s', (name, words, body) => {
  expect(refused(name, body).join('\n')).toContain(words);
});

describe('tools of an MCP server in their raw form are refused', () => {
  const inputs = strangeTools.map(({ inputSchema }) => toObject(inputSchema));
  /** A request with one tool, as the wire of the service writes it. */
  const withTool = (name: string, schema: JsonObject, tool = 'a'): JsonObject =>
    name === 'anthropic'
      ? { ...anthropic(user), tools: [{ name: tool, description: 'd', input_schema: schema }] }
      : name === 'openai'
        ? { ...input(user), tools: [{ type: 'function', name: tool, description: 'd', parameters: schema }] }
        : {
            ...chat(user),
            tools: [{ type: 'function', function: { name: tool, description: 'd', parameters: schema } }],
          };
  const refusals = (name: string): readonly string[] =>
    inputs.flatMap((schema) => refused(name, withTool(name, schema)).map((line) => line.slice(line.indexOf(': ') + 2)));

  test.each([
    ['openai', 'must not have'],
    ['openaiChat', 'must not have'],
    ['azure', 'missing properties'],
    ['anthropic', 'JSON schema is invalid'],
    ['mistral', 'JSON schema is invalid'],
    ['moonshot', 'must be an object'],
    ['llamacpp', 'Pattern'],
    ['lmstudio', 'Required'],
    ['ollama', 'Pattern'],
    ['groq', "'required' present"],
    ['gemini', 'only allowed for OBJECT'],
  ])('by %s: %s', (name, words) => {
    expect(refusals(name).join('\n')).toContain(words);
  });

  const of = (property: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { a: property },
    ...more,
  });
  test.each<[string, string, JsonObject]>([
    ['openai', 'array schema missing items', of({ type: 'array' })],
    ['openai', "type 'object'", { properties: {} }],
    ['openai', "must not have 'not'", { type: 'object', properties: {}, not: { required: ['a'] } }],
    ['anthropic', 'at the top level', of({}, { anyOf: [{ required: ['a'] }] })],
    ['anthropic', 'Property keys', { type: 'object', properties: { 'filter[id]': {} } }],
    ['anthropic', 'Field required', { properties: {} }],
    ['anthropic', 'exclusiveMinimum', of({ type: 'number', exclusiveMinimum: true })],
    ['anthropic', 'required null', of({}, { required: null })],
    ['mistral', 'items', of({ type: 'array', items: [{ type: 'string' }] })],
    ['mistral', 'type', of({ type: 'any' })],
    ['moonshot', 'must be "object"', { properties: {} }],
    ['moonshot', 'type is not defined', of({ description: 'd' })],
    ['moonshot', 'when using anyOf', of({ type: 'object', anyOf: [{ required: ['b'] }] })],
    ['moonshot', 'must start with #/$defs/', of({ $ref: '#/definitions/A' }, { definitions: { A: { type: 'null' } } })],
    ['moonshot', 'invalid $ref path', of({ $ref: '#/$defs/B' }, { $defs: {} })],
    ['moonshot', 'conflicting keywords', of({ $ref: '#', description: 'd' })],
    ['moonshot', 'items must be an object', of({ type: 'array', items: [{ type: 'null' }] })],
    ['moonshot', 'must be an object', { type: 'object', properties: { a: true } }],
    ['moonshot', 'not defined in properties', of({ type: 'null' }, { required: ['b'] })],
    ['llamacpp', 'unknown escape', of({ type: 'string', pattern: '^\\d+$' })],
    ['llamacpp', 'Unrecognized schema', of({ description: 'd' })],
    ['ollama', 'cannot unmarshal array', { type: 'object', properties: [] }],
  ])('by %s: %s, %j', (name, words, schema) => {
    expect(refused(name, withTool(name, schema)).join('\n')).toContain(words);
  });

  test.each(['gemini', 'moonshot'])('by %s: a name that begins with a digit', (name) => {
    expect(refused(name, withTool(name, of({ type: 'null' }), '1c_reload')).join()).toContain(
      'must start with a letter',
    );
  });
});

test('openai refuses a reference to reasoning without the item that followed it', () => {
  const issued = ['item rs_1 msg_2', 'item msg_2 '];
  const reference = (id: string): JsonObject => ({ type: 'item_reference', id });
  expect(refused('openai', input(reference('rs_1'), user), issued).join()).toContain('without its required following');
  expect(refused('openai', { ...input(reference('msg_2')), store: false }, issued).join()).toContain('not found');
  expect(refused('openai', { ...input(reference('rs_1'), reference('msg_2'), user), store: true }, issued)).toEqual([]);
});

test('anthropic refuses a page without the header for pages', () => {
  const refusals = refusalsOf(specOf('anthropic').rules, {
    body: anthropic(user),
    headers: new Headers(),
    issued: new Set(),
  });
  expect(refusals.join()).toContain('anthropic-dangerous-direct-browser-access');
});

test('every rule refuses a request of these tests', () => {
  const found = new Set(broken.flatMap(([name, , body]) => refused(name, body)).map((line) => line.split(': ')[0]));
  const elsewhere = /schema|a tool whose|page.* without|another id for a call|without its reasoning/;
  const rules = new Set(Object.values(services).flatMap(({ rules: all }) => all.map(({ refuses }) => refuses)));
  const silent = [...rules].filter(
    (refuses) => !elsewhere.test(refuses) && ![...found].some((line) => refuses.startsWith(line ?? '-')),
  );
  expect(silent).toEqual([]);
});
