import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import type { LLMChunk } from '../../../../src/core/model/llm.ts';
import { createAISDKClient } from '../../../../src/llm/wires/ai-sdk/client.ts';
import { collect, createFakeModel, type FakeModelOptions as Fields, finish, textOf } from '../../../support/ai-sdk.ts';

/** The chunks of an answer with these parts. */
async function read(parts: readonly object[], more: Fields = {}): Promise<LLMChunk[]> {
  const { chunks, error } = await collect(createAISDKClient(createFakeModel([parts], more), { maxRetries: 0 }));
  if (error) throw error;
  return chunks;
}
const errorOf = async (parts: readonly object[]) =>
  (await collect(createAISDKClient(createFakeModel([parts]), { maxRetries: 0 }))).error;

const end = (chunks: readonly LLMChunk[]): LLMChunk | undefined => chunks.at(-1);
const counted = { type: 'usage', usage: { input: 3, output: 2 } };
const stopped = { type: 'finish', reason: 'stop', raw: 'stop' };

test('reads the answer of the mock model of the AI SDK', async () => {
  const model = new MockLanguageModelV3({
    doStream: {
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'response-metadata', modelId: 'gpt-5' });
          controller.enqueue({ type: 'text-start', id: '0' });
          controller.enqueue({ type: 'text-delta', id: '0', delta: 'Hello' });
          controller.enqueue({ type: 'text-end', id: '0' });
          controller.enqueue({ type: 'tool-input-start', id: 'c1', toolName: 'add' });
          controller.enqueue({ type: 'tool-input-delta', id: 'c1', delta: '{"a":' });
          controller.enqueue({ type: 'tool-input-delta', id: 'c1', delta: '1}' });
          controller.enqueue({ type: 'tool-input-end', id: 'c1' });
          controller.enqueue({ type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{"a":1}' });
          controller.enqueue({
            type: 'finish',
            finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
            usage: {
              inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
              outputTokens: { total: 5, text: 3, reasoning: 2 },
            },
          });
          controller.close();
        },
      }),
    },
  });
  const { chunks, error } = await collect(createAISDKClient(model));
  expect(error).toBeUndefined();
  expect(chunks).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'call', index: 0, name: 'add', text: '' },
    { type: 'call', index: 0, text: '{"a":' },
    { type: 'call', index: 0, text: '1}' },
    {
      type: 'call-end',
      index: 0,
      id: 'c1',
      name: 'add',
      inputText: '{"a":1}',
      provider: { host: 'mock-provider' },
    },
    { type: 'usage', usage: { input: 10, output: 5, cached: 4, reasoning: 2 } },
    { type: 'finish', reason: 'tool-calls', raw: 'tool_calls', model: 'gpt-5' },
  ]);
  expect(model.doStreamCalls).toHaveLength(1);
});

describe('reasoning', () => {
  test('ends with the metadata of its provider, in pieces from start, delta and end', async () => {
    const chunks = await read([
      { type: 'reasoning-start', id: 'r', providerMetadata: { p: { itemId: 'rs_1', sealed: null } } },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { p: { signature: 's' } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { sealed: 'x' } } },
      ...textOf('t', 'Yes.'),
      finish(),
    ]);
    const metadata = { p: { itemId: 'rs_1', sealed: 'x', signature: 's' } };
    expect(chunks).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'reasoning', text: '', provider: { 'ai-sdk': { of: 'reasoning', metadata }, host: 'test.chat' } },
      { type: 'text', text: 'Yes.' },
      counted,
      stopped,
    ]);
  });

  test('has a blank line between blocks that are one part, and each block keeps its metadata', async () => {
    const chunks = await read([
      { type: 'reasoning-start', id: 'a' },
      { type: 'reasoning-delta', id: 'a', delta: 'One' },
      { type: 'reasoning-start', id: 'b' },
      { type: 'reasoning-delta', id: 'b', delta: 'Two' },
      { type: 'reasoning-end', id: 'a', providerMetadata: { p: { n: 1 } } },
      { type: 'reasoning-end', id: 'b', providerMetadata: { p: { n: 2 } } },
      finish(),
    ]);
    expect(chunks.slice(0, 3)).toEqual([
      { type: 'reasoning', text: 'One' },
      { type: 'reasoning', text: '\n\nTwo' },
      {
        type: 'reasoning',
        text: '',
        provider: {
          'ai-sdk': {
            of: 'reasoning',
            blocks: [
              { chars: 3, metadata: { p: { n: 1 } } },
              { chars: 5, metadata: { p: { n: 2 } } },
            ],
          },
          host: 'test.chat',
        },
      },
    ]);
  });

  test('without text keeps what was redacted', async () => {
    const [first] = await read([
      { type: 'reasoning-start', id: 'r', providerMetadata: { anthropic: { redactedData: 'x' } } },
      { type: 'reasoning-end', id: 'r' },
      finish(),
    ]);
    expect(first).toMatchObject({ type: 'reasoning', text: '' });
  });
});

describe('text', () => {
  test('of several blocks is one sentence, and items of a provider are separated', async () => {
    const joined = await read([...textOf('1', 'The tower is '), ...textOf('2', '300 m high.'), finish()]);
    expect(joined.slice(0, 2)).toEqual([
      { type: 'text', text: 'The tower is ' },
      { type: 'text', text: '300 m high.' },
    ]);
    const item = (id: string, text: string): readonly object[] => [
      { type: 'text-start', id, providerMetadata: { openai: { itemId: id } } },
      { type: 'text-delta', id, delta: text },
      { type: 'text-end', id },
    ];
    const items = await read([...item('msg_1', 'One.'), ...item('msg_2', 'Two.'), finish()]);
    expect(items.flatMap((chunk) => (chunk.type === 'text' ? chunk.text : []))).toEqual(['One.', '\n\nTwo.']);
  });

  test('is followed by its metadata, in a part of reasoning without text', async () => {
    const [, mark] = await read([...textOf('1', 'Hi', { p: { sig: 's' } }), finish()]);
    expect(mark).toEqual({
      type: 'reasoning',
      text: '',
      provider: { 'ai-sdk': { of: 'text', metadata: { p: { sig: 's' } } }, host: 'test.chat' },
    });
  });

  test("of Anthropic's compaction is no answer", async () => {
    const [first] = await read([
      { type: 'text-start', id: '0', providerMetadata: { anthropic: { type: 'compaction' } } },
      { type: 'text-delta', id: '0', delta: 'They talked.' },
      { type: 'text-end', id: '0' },
      finish(),
    ]);
    expect(first).toMatchObject({
      type: 'part',
      part: { type: 'provider', name: 'compaction', data: { type: 'ai-sdk.text', text: 'They talked.' } },
    });
  });
});

describe('calls', () => {
  const callEnds = async (...parts: readonly object[]): Promise<unknown[]> =>
    (await read(parts)).flatMap((chunk) => (chunk.type === 'call-end' ? [[chunk.index, chunk.inputText]] : []));
  const toolCall = (id: string, input: unknown, more: object = {}): object => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'add',
    input,
    ...more,
  });
  const start = (id: string, more: object = {}): object => ({
    type: 'tool-input-start',
    id,
    toolName: 'add',
    ...more,
  });
  const delta = (id: string, text: string): object => ({ type: 'tool-input-delta', id, delta: text });

  test('arrive whole, without pieces, and as an object', async () => {
    expect(await callEnds(toolCall('a', '{"a":1}'), toolCall('b', { a: 2 }), finish('tool-calls'))).toEqual([
      [0, '{"a":1}'],
      [1, '{"a":2}'],
    ]);
  });

  test('without input have an empty object, but not where the answer was cut', async () => {
    expect(await callEnds(start('a'), toolCall('a', ''), finish('tool-calls'))).toEqual([[0, '{}']]);
    expect(await callEnds(start('a'), toolCall('a', '{}'), finish('length'))).toEqual([[0, '']]);
    expect(await callEnds(start('a'), delta('a', '{"a":'), finish('length'))).toEqual([[0, '{"a":']]);
  });

  test('keep the spelling that was streamed, and the input that the package has corrected', async () => {
    const spaced = await callEnds(start('a'), delta('a', '{ "a": 1 }'), toolCall('a', '{"a":1}'), finish('tool-calls'));
    expect(spaced).toEqual([[0, '{ "a": 1 }']]);
    const corrected = await callEnds(start('a'), delta('a', '{"a":1,}'), toolCall('a', '{"a":1}'), finish('stop'));
    expect(corrected).toEqual([[0, '{"a":1}']]);
  });

  test('that are stated twice are one, and two inputs under one id are two', async () => {
    expect(await callEnds(toolCall('a', '{"a":1}'), toolCall('a', '{"a":1}'), finish())).toEqual([[0, '{"a":1}']]);
    expect(await callEnds(toolCall('a', '{"a":1}'), toolCall('a', '{"a":2}'), finish())).toEqual([
      [0, '{"a":1}'],
      [1, '{"a":2}'],
    ]);
  });

  test('that ran at the provider are parts, with their results, and are not run', async () => {
    const chunks = await read([
      start('s', { providerExecuted: true }),
      delta('s', '{"query":"x"}'),
      toolCall('s', '{"query":"x"}', { toolName: 'web_search', providerExecuted: true }),
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { n: 0 }, preliminary: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { n: 1 }, isError: true },
      ...textOf('t', 'Found.'),
      finish('tool-calls'),
    ]);
    expect(chunks.map((chunk) => (chunk.type === 'part' ? chunk.part : chunk.type))).toEqual([
      {
        type: 'provider',
        name: 'web_search',
        data: {
          type: 'ai-sdk.tool-call',
          host: 'test.chat',
          toolCallId: 's',
          toolName: 'web_search',
          input: '{"query":"x"}',
          providerExecuted: true,
        },
      },
      {
        type: 'provider',
        name: 'web_search',
        data: {
          type: 'ai-sdk.tool-result',
          host: 'test.chat',
          toolCallId: 's',
          toolName: 'web_search',
          result: { n: 1 },
          isError: true,
        },
      },
      'text',
      'usage',
      'finish',
    ]);
    expect(end(chunks)).toMatchObject({ reason: 'stop' });
  });

  test('have limits', async () => {
    const model = createFakeModel([[start('a'), delta('a', 'x'.repeat(11))]]);
    const { error } = await collect(createAISDKClient(model, { maxRetries: 0, limits: { call: 10 } }));
    expect(error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    const many = createFakeModel([[toolCall('a', '{}'), toolCall('b', '{}'), toolCall('c', '{}')]]);
    const { error: second } = await collect(createAISDKClient(many, { maxRetries: 0, limits: { calls: 2 } }));
    expect(second).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    const long = createFakeModel([textOf('a', 'x'.repeat(11))]);
    const { error: third } = await collect(createAISDKClient(long, { maxRetries: 0, limits: { stream: 10 } }));
    expect(third).toMatchObject({ code: 'STREAM_TOO_LARGE' });
  });

  test('without a name are malformed', async () => {
    expect(await errorOf([{ type: 'tool-call', toolCallId: 'a', input: '{}' }])).toMatchObject({
      code: 'STREAM_MALFORMED',
    });
  });
});

describe('files and sources', () => {
  const partsOf = async (...parts: readonly object[]): Promise<unknown[]> =>
    (await read([...parts, finish()])).flatMap((chunk) => (chunk.type === 'part' ? [chunk.part] : []));

  test('are media: base64, bytes, and the tagged data of version 4', async () => {
    const bytes = new Uint8Array([137, 80, 78, 71]);
    expect(
      await partsOf(
        { type: 'file', mediaType: 'image/png', data: 'iVBORw0K' },
        { type: 'file', mediaType: 'image/png', data: bytes },
        { type: 'file', mediaType: 'audio/wav', data: { type: 'data', data: 'AAAA' } },
        {
          type: 'reasoning-file',
          mediaType: 'application/pdf',
          data: { type: 'url', url: new URL('https://a.test/b') },
        },
      ),
    ).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'iVBORw0K' },
      { type: 'image', mediaType: 'image/png', data: 'iVBORw==' },
      { type: 'audio', mediaType: 'audio/wav', data: 'AAAA' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/b' },
    ]);
  });

  test('have the metadata of their provider after them', async () => {
    const chunks = await read([
      {
        type: 'file',
        mediaType: 'image/png',
        data: 'iVBORw0K',
        providerMetadata: { google: { thoughtSignature: 's' } },
      },
      finish(),
    ]);
    expect(chunks[1]).toMatchObject({ type: 'reasoning', provider: { 'ai-sdk': { of: 'file' } } });
  });

  test('are sources once, with and without an address, and from citations', async () => {
    const source = { type: 'source', sourceType: 'url', id: '1', url: 'https://a.test', title: 'A' };
    expect(
      await partsOf(source, source, { type: 'source', sourceType: 'document', id: '2', mediaType: 'x/y', title: 'B' }),
    ).toEqual([
      { type: 'source', url: 'https://a.test', title: 'A' },
      expect.objectContaining({ type: 'provider', name: 'source' }),
    ]);
    expect(
      await partsOf(
        { type: 'text-start', id: '0' },
        { type: 'text-end', id: '0', citations: [{ source, startIndex: 0 }] },
      ),
    ).toEqual([{ type: 'source', url: 'https://a.test', title: 'A' }]);
  });

  test('are shown where a tool of the provider made a picture, and stored once', async () => {
    const result = { result: 'iVBORw0KGgoAAA', id: 7 };
    const [picture, part] = await partsOf({ type: 'tool-result', toolCallId: 'i', toolName: 'image', result });
    expect(picture).toEqual({ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoAAA' });
    expect(JSON.stringify(part)).not.toContain('iVBOR');
  });

  test('are kept in the form of the provider: custom content and requests for approval', async () => {
    expect(
      await partsOf(
        { type: 'custom', kind: 'xai.thing', providerMetadata: { xai: { a: 1 } } },
        { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
      ),
    ).toMatchObject([
      { type: 'provider', name: 'xai.thing', data: { type: 'ai-sdk.custom' } },
      { type: 'provider', name: 'tool-approval-request', data: { approvalId: 'a' } },
    ]);
  });
});

describe('the end', () => {
  const reasonOf = async (finishReason: unknown, ...parts: readonly object[]): Promise<unknown> => {
    const last = end(
      await read([...parts, ...textOf('t', 'x'), { type: 'finish', finishReason, usage: { inputTokens: 1 } }]),
    );
    return last?.type === 'finish' && last.reason;
  };
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'add', input: '{}' };

  test.each([
    [{ unified: 'stop', raw: 'STOP' }, 'stop'],
    [{ unified: 'length', raw: 'MAX_TOKENS' }, 'length'],
    [{ unified: 'content-filter', raw: 'refusal' }, 'content-filter'],
    [{ unified: 'stop', raw: 'pause_turn' }, 'pause'],
    [{ unified: 'tool-calls', raw: 'tool_use' }, 'stop'],
    [{ unified: 'other', raw: 'LANGUAGE' }, 'other'],
    [{ unified: 'other', raw: undefined }, 'unknown'],
    ['stop', 'stop'],
    ['unknown', 'unknown'],
    ['length', 'length'],
  ])('%j is %s', async (stated, reason) => {
    expect(await reasonOf(stated)).toBe(reason);
  });

  test.each([
    [{ unified: 'stop', raw: 'stop' }, 'tool-calls'],
    [{ unified: 'length', raw: 'length' }, 'length'],
    [{ unified: 'other', raw: undefined }, 'unknown'],
  ])('%j with calls is %s', async (stated, reason) => {
    expect(await reasonOf(stated, call)).toBe(reason);
  });

  test('is a failure where the model or the service failed', async () => {
    const failed = [...textOf('t', 'x'), finish('error', 'MALFORMED_FUNCTION_CALL')];
    expect(await errorOf(failed)).toMatchObject({ code: 'LLM_API_ERROR' });
    expect(await errorOf([...textOf('t', 'x'), finish('other', 'failed')])).toMatchObject({ code: 'LLM_API_ERROR' });
  });

  test('is an interruption where the connection was closed: no end, one without usage, one of nothing, one that says so', async () => {
    const cut = { code: 'STREAM_INTERRUPTED', retryable: false };
    const empty = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
    const none = { finishReason: { unified: 'other', raw: undefined }, usage: empty };
    expect(await errorOf(textOf('t', 'x'))).toMatchObject(cut);
    expect(await errorOf([...textOf('t', 'x'), { type: 'finish', ...none }])).toMatchObject(cut);
    expect(await errorOf([finish('other', '')])).toMatchObject({ ...cut, retryable: true });
    expect(await errorOf([...textOf('t', 'x'), finish('interrupted')])).toMatchObject(cut);
  });

  test('keeps what a paused reply needs to continue', async () => {
    const providerMetadata = { anthropic: { container: { id: 'c1' } } };
    const chunks = await read([...textOf('t', 'x'), finish('stop', 'pause_turn', { providerMetadata })]);
    expect(chunks[1]).toMatchObject({ provider: { 'ai-sdk': { of: 'finish', metadata: providerMetadata } } });
  });
});

test.each([
  [
    { inputTokens: { total: 10, noCache: 6, cacheRead: 4 }, outputTokens: { total: 5, reasoning: 2 } },
    { input: 10, output: 5, cached: 4, reasoning: 2 },
  ],
  [
    { inputTokens: { total: 10, noCache: 3, cacheRead: 4, cacheWrite: 3 }, outputTokens: { total: 5 } },
    { input: 3, output: 5, cacheRead: 4, cacheWritten: 3 },
  ],
  [
    { inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 5, reasoning: 0 } },
    { input: 10, output: 5 },
  ],
  [
    { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
    { input: 10, output: 5, cached: 4, reasoning: 2 },
  ],
  [
    { inputTokens: 2, outputTokens: 5, cachedInputTokens: 40 },
    { input: 2, output: 5, cacheRead: 40 },
  ],
  [
    { inputTokens: { total: 10 }, outputTokens: { total: 5, reasoning: 9 } },
    { input: 10, output: 5 },
  ],
])('usage %j is %j', async (usage, expected) => {
  const chunks = await read([...textOf('t', 'x'), { ...finish(), usage }]);
  expect(chunks.find(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage: expected });
});

test('usage that was not counted is none', async () => {
  const chunks = await read([...textOf('t', 'x'), { ...finish(), usage: { inputTokens: { total: undefined } } }]);
  expect(chunks.map(({ type }) => type)).toEqual(['text', 'finish']);
});

test('parts that are not known are ignored, and nothing after the end is read', async () => {
  const chunks = await read([
    { type: 'raw', rawValue: {} },
    { type: 'ping' },
    { type: 'what' },
    ...textOf('t', 'x'),
    finish(),
    ...textOf('u', 'y'),
  ]);
  expect(chunks).toEqual([{ type: 'text', text: 'x' }, counted, stopped]);
});

test('a whole answer (`stream: false`) has the same chunks', async () => {
  const whole = {
    content: [
      { type: 'reasoning', text: 'Hm', providerMetadata: { p: { signature: 's' } } },
      { type: 'text', text: 'Yes.' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'add', input: '{"a":1}' },
    ],
    finishReason: { unified: 'tool-calls', raw: 'tool_use' },
    usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
    response: { modelId: 'big' },
    warnings: [{ type: 'unsupported', feature: 'topK' }],
  };
  const warnings: string[] = [];
  const client = createAISDKClient(createFakeModel([[whole]]), {
    stream: false,
    onWarning: (warning) => warnings.push(warning),
  });
  const { chunks } = await collect(client);
  expect(chunks.map((chunk) => [chunk.type, 'text' in chunk ? chunk.text : ''])).toEqual([
    ['reasoning', 'Hm'],
    ['reasoning', ''],
    ['text', 'Yes.'],
    ['call', ''],
    ['call', '{"a":1}'],
    ['call-end', ''],
    ['usage', ''],
    ['finish', ''],
  ]);
  expect(end(chunks)).toMatchObject({ reason: 'tool-calls', model: 'big' });
  expect(warnings).toEqual(['unsupported: topK']);
});

test('a listener that throws changes nothing', async () => {
  const model = createFakeModel([
    [{ type: 'stream-start', warnings: [{ type: 'other', message: 'x' }] }, ...textOf('t', 'x'), finish()],
  ]);
  const onWarning = (): void => {
    throw new Error('of the page');
  };
  const { chunks, error } = await collect(createAISDKClient(model, { maxRetries: 0, onWarning }));
  expect(error).toBeUndefined();
  expect(end(chunks)).toEqual(stopped);
});

test('warnings are told', async () => {
  const warnings: string[] = [];
  const model = createFakeModel([
    [
      {
        type: 'stream-start',
        warnings: [
          { type: 'unsupported', feature: 'seed', details: 'Not here.' },
          { type: 'unsupported-setting', setting: 'topK' },
          { type: 'other', message: 'unsupported reasoning metadata' },
        ],
      },
      ...textOf('t', 'x'),
      finish(),
    ],
  ]);
  await collect(createAISDKClient(model, { onWarning: (warning) => warnings.push(warning) }));
  expect(warnings).toEqual([
    'unsupported: seed (Not here.)',
    'unsupported-setting: topK',
    'other (unsupported reasoning metadata)',
  ]);
});
