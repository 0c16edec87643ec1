import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import { toList, toObject } from '../../../src/core/model/read-json.ts';
import type { Message, Part } from '../../../src/core/model/message.ts';
import { toAnthropicBody } from '../../../src/llm/wires/anthropic/request.ts';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { bytes, frame, hear, type Heard } from '../../support/llm-answer.ts';

// Blocks of /v1/messages as proxies write them, and blocks that go back to the service.

const read = (...events: JsonObject[]): Heard => hear([bytes(frame(events, { done: false }))], createAnthropicReader);
const begin = (index: Json | undefined, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  ...(index !== undefined && { index }),
  content_block,
});
const more = (index: Json | undefined, delta: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  ...(index !== undefined && { index }),
  delta,
});
const stop = (index?: Json): JsonObject => ({ type: 'content_block_stop', ...(index !== undefined && { index }) });
const end = (stop_reason = 'end_turn', delta: JsonObject = {}): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason, ...delta },
});
const thinking = { type: 'thinking', thinking: '' };
const text = { type: 'text', text: '' };
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: id, input: {} });
const ran = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };

describe('a delta of no open index belongs to the newest open block of its type', () => {
  const blocks = [begin('a', thinking), begin('b', text), begin('c', use('t')), begin('d', ran)];

  test('text, thinking, a signature, an input', () => {
    const heard = read(
      ...blocks,
      more('x', { text: 'Hello' }),
      more('x', { thinking: 'Hm' }),
      more('x', { signature: 'S' }),
      stop('d'),
      more('x', { partial_json: '{"a":1}' }),
      end('tool_use'),
    );
    expect(heard).toMatchObject({
      text: 'Hello',
      reasoning: 'Hm',
      providers: [{ anthropic: { signature: 'S' } }],
      calls: [{ name: 't', inputText: '{"a":1}' }],
    });
  });

  test('an input, to a tool of the provider, too', () => {
    const heard = read(...blocks, more('x', { partial_json: '{"q":"a"}' }), end('tool_use'));
    expect(heard.parts).toEqual([{ type: 'provider', name: 'server_tool_use', data: { ...ran, input: { q: 'a' } } }]);
    expect(heard.calls).toMatchObject([{ name: 't', inputText: '{}' }]);
  });

  test('a signature alone goes to no block of another type', () => {
    const heard = read(begin(0, text), more(5, { signature: 'S' }), end());
    expect(heard).toMatchObject({ text: '', providers: [] });
  });

  test('or to a new block, of text or of thinking', () => {
    const heard = read(
      more(0, { thinking: 'Hm' }),
      more(0, { signature: 'S' }),
      more(1, { text: 'a' }),
      more(1, { text: 'b' }),
      end(),
    );
    expect(heard).toMatchObject({ reasoning: 'Hm', text: 'ab', providers: [{ anthropic: { signature: 'S' } }] });
  });
});

test('an end without an index is that of the newest block', () => {
  const heard = read(
    begin(undefined, ran),
    more(undefined, { partial_json: '{"q":1}' }),
    stop(),
    begin(undefined, text),
    more(undefined, { text: 'a' }),
    stop(),
    end(),
  );
  expect(heard.parts).toEqual([{ type: 'provider', name: 'server_tool_use', data: { ...ran, input: { q: 1 } } }]);
  const two = read(begin(0, ran), begin(1, text), stop(), more(1, { text: 'a' }), end());
  expect(two.text).toBe('a');
});

test('a block of the provider keeps its content where it is no JSON', () => {
  const result = { type: 'mcp_tool_result', tool_use_id: 's' };
  const heard = read(
    begin(0, result),
    more(0, { content: 'par' }),
    more(0, { content: 'tly' }),
    stop(0),
    begin(1, result),
    stop(1),
    end(),
  );
  expect(heard.parts).toEqual([
    { type: 'provider', name: 'mcp_tool_result', data: { ...result, content: 'partly' } },
    { type: 'provider', name: 'mcp_tool_result', data: result },
  ]);
});

test('a block that starts again is the same where its id is, and another without one', () => {
  const again = read(begin(0, ran), more(0, { partial_json: '{"q":1}' }), begin(0, ran), stop(0), end());
  expect(again.parts).toHaveLength(1);
  const anonymous = { type: 'web_search_tool_result' };
  expect(read(begin(0, anonymous), begin(0, anonymous), stop(0), end()).parts).toHaveLength(2);
  expect(read(begin(0, ran), begin(0, { ...ran, id: 'u' }), stop(0), end()).parts).toHaveLength(2);
});

test('thinking stands apart from thinking only where nothing is between', () => {
  const thought = (index: number, words: string): JsonObject[] => [
    begin(index, thinking),
    more(index, { thinking: words }),
    stop(index),
  ];
  expect(read(...thought(0, 'A'), ...thought(1, 'B'), end()).reasoning).toBe('A\n\nB');
  expect(
    read(...thought(0, 'A'), begin(1, text), more(1, { text: 'x' }), stop(1), ...thought(2, 'B'), end()).reasoning,
  ).toBe('AB');
  expect(
    read(...thought(0, 'A'), begin(1, { type: 'redacted_thinking', data: 'R' }), stop(1), ...thought(2, 'B'), end()),
  ).toMatchObject({
    reasoning: 'AB',
    providers: [{ anthropic: { redacted: 'R' } }],
  });
  expect(
    read(begin(0, { ...thinking, thinking: 'A' }), begin(1, { ...thinking, thinking: 'B' }), end()).reasoning,
  ).toBe('A\n\nB');
});

describe('the container in which tools ran', () => {
  const paused = (delta: JsonObject, ...before: JsonObject[]): unknown[] =>
    read(...before, begin(0, text), more(0, { text: 'a' }), end('pause_turn', delta)).parts;
  const part = [{ type: 'provider', name: 'anthropic.container', data: { id: 'k' } }];

  test('is a part of a paused reply, from its start or its end', () => {
    expect(paused({ container: { id: 'k' } })).toEqual(part);
    expect(paused({}, { type: 'message_start', message: { container: { id: 'k' } } })).toEqual(part);
    expect(
      paused({ container: { id: 'k' } }, { type: 'message_start', message: { container: { id: 'old' } } }),
    ).toEqual(part);
  });

  test('is none of a reply that is done, or of a pause without one', () => {
    expect(read(begin(0, text), more(0, { text: 'a' }), end('end_turn', { container: { id: 'k' } })).parts).toEqual([]);
    expect(paused({})).toEqual([]);
  });

  test('goes back with the request that continues the reply, beside the own parameter', () => {
    const container = (content: Part[], own?: Json): Json | undefined =>
      toAnthropicBody(
        {
          sessionId: 's',
          messages: [message('user', { type: 'text', text: 'Go.' }), message('assistant', ...content)],
          ...(own !== undefined && { providerParams: { container: own } }),
        },
        defaults,
      ).container;
    const mark: Part = { type: 'provider', name: 'anthropic.container', data: { id: 'k' } };
    const other: Part = { type: 'provider', name: 'server_tool_use', data: { id: 'x', type: 'server_tool_use' } };
    expect(container([mark])).toBe('k');
    expect(container([mark, other])).toBe('k');
    expect(container([other])).toBeUndefined();
    expect(container([other], { skills: [] })).toEqual({ skills: [] });
    expect(container([mark], { skills: [] })).toEqual({ skills: [], id: 'k' });
    expect(container([mark], 'mine')).toBe('mine');
  });
});

const defaults = { maxTokens: 9, cache: false, model: 'm' };
let ids = 0;
const message = (role: Message['role'], ...content: Part[]): Message => ({
  id: `m${(ids += 1)}`,
  role,
  content,
  timestamp: 0,
});
const sent = (...content: Part[]): JsonObject[] => {
  const messages = [
    message('user', { type: 'text', text: 'Go.' }),
    message('assistant', ...content),
    message('user', { type: 'text', text: 'On.' }),
  ];
  return toAnthropicBody({ sessionId: 's', messages }, defaults).messages as JsonObject[];
};

describe('a part of the provider', () => {
  const block = (name: string, data: JsonObject): Part => ({ type: 'provider', name, data });

  test('goes back unchanged where it is a block of this wire', () => {
    const parts = [
      block('server_tool_use', { type: 'server_tool_use', id: 's' }),
      block('web_search_tool_result', { type: 'web_search_tool_result', tool_use_id: 's' }),
      block('compaction', { type: 'compaction', content: 'c' }),
    ];
    expect(sent(...parts)[1]?.content).toEqual(parts.map((part) => (part.type === 'provider' ? part.data : undefined)));
  });

  test.each<[string, Part]>([
    ['of another wire', block('web_search_call', { type: 'web_search_call' })],
    ['whose data are of another type', block('server_tool_use', { type: 'text', text: 'x' })],
    ['whose data are no object', { type: 'provider', name: 'server_tool_use', data: 'x' }],
    ['whose name only begins like one', block('tool_use_summary', { type: 'tool_use_summary' })],
    ['whose name only ends like one', block('my_compaction', { type: 'my_compaction' })],
  ])('stays here %s', (_, part) => {
    const [, reply] = sent({ type: 'text', text: 'a' }, part);
    expect(reply?.content).toEqual([{ type: 'text', text: 'a' }]);
  });
});

describe('media in a message', () => {
  const blockOf = (part: Part): JsonObject => {
    const { messages } = toAnthropicBody({ sessionId: 's', messages: [message('user', part)] }, defaults);
    return toObject(toList(toObject(toList(messages)[0]).content)[0]);
  };
  const base64 = (media_type: string): JsonObject => ({ type: 'base64', media_type, data: 'QUJD' });

  test.each<[Part, JsonObject]>([
    [
      { type: 'image', mediaType: 'image/jpg', data: 'QUJD' },
      { type: 'image', source: base64('image/jpeg') },
    ],
    [
      { type: 'image', mediaType: 'image/webp', url: 'https://a.example/b' },
      { type: 'image', source: { type: 'url', url: 'https://a.example/b' } },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', data: 'QUJD', name: 'a.pdf' },
      { type: 'document', source: base64('application/pdf'), title: 'a.pdf' },
    ],
    [
      { type: 'file', mediaType: 'application/pdf', data: 'QUJD' },
      { type: 'document', source: base64('application/pdf') },
    ],
  ])('%j is a block', (part, block) => {
    expect(blockOf(part)).toEqual(block);
  });

  test.each<Part>([
    { type: 'image', mediaType: 'image/svg+xml', data: 'QUJD' },
    { type: 'image', mediaType: 'ximage/png', data: 'QUJD' },
    { type: 'image', mediaType: 'image/pngx', data: 'QUJD' },
    { type: 'file', mediaType: 'application/pdfx', data: 'AAAA' },
    { type: 'audio', mediaType: 'audio/pdf', data: 'QUJD' },
    { type: 'image', mediaType: 'image/png' },
  ])('%j is described in words', (part) => {
    expect(blockOf(part)).toMatchObject({ type: 'text' });
  });

  test('a text file is text', () => {
    expect(blockOf({ type: 'file', mediaType: 'text/plain', data: btoa('Hello'), name: 'a.txt' })).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Hello'),
    });
  });
});

test('a request has no empty lists, and a message for results beside media of the model', () => {
  const body = toAnthropicBody(
    { sessionId: 's', messages: [message('user', { type: 'text', text: 'Go.' })] },
    defaults,
  );
  expect(Object.entries(body).filter(([, value]) => Array.isArray(value) && value.length === 0)).toEqual([]);
  const blank = [message('system', { type: 'text', text: ' ' }), message('user', { type: 'text', text: 'Go.' })];
  expect(toAnthropicBody({ sessionId: 's', messages: blank }, defaults).system).toBeUndefined();
  const called: Part = {
    type: 'tool',
    callId: 'c',
    name: 'f',
    status: 'succeeded',
    inputText: '{}',
    input: {},
    output: [{ type: 'image', mediaType: 'image/png', data: 'QUJD' }],
  };
  const drawn: Part = { type: 'image', mediaType: 'image/png', data: 'QUJD' };
  const roles = sent(called, drawn).map(({ role }) => role);
  expect(roles).toEqual(['user', 'assistant', 'user', 'user']);
});
