import { describe, expect, test } from 'vitest';
import { AgentError } from '../../../../src/core/error.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import type { LLMChunk } from '../../../../src/core/model/llm.ts';
import { toObject } from '../../../../src/core/model/read-json.ts';
import { HttpError } from '../../../../src/llm/transport/error-response.ts';
import { createBlocks } from '../../../../src/llm/wires/ai-sdk/blocks.ts';
import { createCalls } from '../../../../src/llm/wires/ai-sdk/calls.ts';
import { isUnsupported, toAISDKError } from '../../../../src/llm/wires/ai-sdk/error.ts';
import { pictureOf, toMedia } from '../../../../src/llm/wires/ai-sdk/files.ts';
import { toFilePart, toMediaPart } from '../../../../src/llm/wires/ai-sdk/media.ts';
import { checkModel, toModelInPage } from '../../../../src/llm/wires/ai-sdk/model.ts';
import { traitsOf } from '../../../../src/llm/wires/ai-sdk/traits.ts';
import { createFakeModel } from '../../../support/ai-sdk.ts';

// The parts of the client for models of the AI SDK, each by itself: what packages throw, stream and return, and variations.

const named = (name: string, message = 'It broke', fields: object = {}): Error =>
  Object.assign(new Error(message), { name, ...fields });
const place = { host: 'p', answered: false, begun: false };

describe('what a package throws', () => {
  const codeOf = (thrown: unknown, where = place): unknown => {
    const error = toAISDKError(thrown, where);
    return error instanceof AgentError ? error.code : error instanceof HttpError ? 'reply' : error;
  };

  test.each<[string, string]>([
    ['AI_LoadAPIKeyError', 'AUTHENTICATION_FAILED'],
    ['AI_LoadSettingError', 'INVALID_CONFIG'],
    ['AI_NoSuchModelError', 'MODEL_NOT_FOUND'],
    ['AI_NoSuchProviderError', 'MODEL_NOT_FOUND'],
    ['AI_UnsupportedFunctionalityError', 'INVALID_REQUEST'],
    ['AI_InvalidPromptError', 'INVALID_REQUEST'],
    ['AI_InvalidArgumentError', 'INVALID_REQUEST'],
    ['AI_JSONParseError', 'STREAM_MALFORMED'],
    ['AI_TypeValidationError', 'STREAM_MALFORMED'],
    ['AI_EmptyResponseBodyError', 'STREAM_MALFORMED'],
    ['AI_NoContentGeneratedError', 'STREAM_MALFORMED'],
    ['TimeoutError', 'REQUEST_TIMEOUT'],
    ['AbortError', 'STREAM_INTERRUPTED'],
    ['Error', 'reply'],
    // The name of the kind is at its end.
    ['AI_JSONParseErrorOfTheTool', 'reply'],
    ['AI_LoadAPIKeyErrorList', 'reply'],
  ])('%s is %s', (name, code) => {
    expect(codeOf(named(name))).toBe(code);
  });

  test('is an error of this package as it is', () => {
    const own = new AgentError('x', { code: 'RATE_LIMIT_EXCEEDED' });
    expect(toAISDKError(own, place)).toBe(own);
    const reply = new HttpError({ host: 'h', body: 'x' });
    expect(toAISDKError(reply, place)).toBe(reply);
  });

  test('states that a feature is not supported', () => {
    expect(isUnsupported(named('AI_UnsupportedFunctionalityError'))).toBe(true);
    expect(isUnsupported(named('AI_InvalidPromptError'))).toBe(false);
    expect(isUnsupported('AI_UnsupportedFunctionalityError')).toBe(false);
  });

  test.each([
    ['x', 'p: x. Check its name.'],
    ['No such model!', 'p: No such model! Check its name.'],
    ['v1.5 is gone', 'p: v1.5 is gone. Check its name.'],
  ])('is a sentence of the message %j', (message, words) => {
    expect(toAISDKError(named('AI_NoSuchModelError', message), place).message).toBe(words);
  });

  test('is an interruption without a finish reason, retryable before the first chunk alone', () => {
    const lost = named('AI_InvalidResponseDataError', 'The stream ended without a finish reason');
    expect(toAISDKError(lost, place)).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
    expect(toAISDKError(lost, { ...place, begun: true })).toMatchObject({ retryable: false });
    expect(codeOf(named('AI_InvalidResponseDataError', 'No choices'))).toBe('STREAM_MALFORMED');
    expect(codeOf(named('Error', 'ended without a finish reason'))).toBe('reply');
    expect(toAISDKError(named('TimeoutError'), { ...place, begun: true })).toMatchObject({ retryable: false });
    expect(toAISDKError(named('TimeoutError'), place)).toMatchObject({ retryable: true });
  });

  test.each([
    'fetch failed',
    'Failed to fetch',
    'NetworkError when attempting',
    'Load failed',
    'network error',
    'terminated',
    'Cannot connect to API',
  ])('"%s" is a connection that failed, or was lost in the midst', (message) => {
    const cause = new Error('deep');
    expect(toAISDKError(named('TypeError', message, { cause, url: 'https://api.test/v1' }), place)).toMatchObject({
      code: 'NETWORK_ERROR',
      message: expect.stringContaining('api.test'),
      cause,
    });
    const bare = named('TypeError', message);
    expect(toAISDKError(bare, place)).toMatchObject({ message: expect.stringContaining('from p'), cause: bare });
    expect(codeOf(named('TypeError', message), { ...place, answered: true })).toBe('STREAM_INTERRUPTED');
  });

  describe('is a reply where it has the status of one', () => {
    const replyOf = (fields: object): HttpError['reply'] => {
      const error = toAISDKError(named('AI_APICallError', 'Bad.', fields), place);
      return error instanceof HttpError ? error.reply : expect.unreachable();
    };

    test('with the body, the data or the message', () => {
      expect(replyOf({ statusCode: 429, responseBody: '{"a":1}', data: { b: 1 } })).toMatchObject({
        status: 429,
        body: '{"a":1}',
        host: 'p',
      });
      expect(replyOf({ statusCode: 400, responseBody: '', data: { b: 1 } }).body).toEqual({ b: 1 });
      expect(replyOf({ statusCode: 400, data: 'words' }).body).toBe('words');
      expect(replyOf({ statusCode: 400, data: '' }).body).toBe('Bad.');
      expect(replyOf({ statusCode: 400, data: 7 }).body).toBe('Bad.');
      const circle: { self?: unknown } = {};
      circle.self = circle;
      expect(replyOf({ statusCode: 400, data: circle }).body).toBe('Bad.');
    });

    test('with the host of its address', () => {
      expect(replyOf({ statusCode: 500, url: 'https://api.test:81/v1' }).host).toBe('api.test:81');
      for (const url of ['nonsense', 7, undefined, 'data:,x']) expect(replyOf({ statusCode: 500, url }).host).toBe('p');
    });

    test('and none where the status is that of success, or none', () => {
      for (const statusCode of [200, 399, 'x', undefined]) {
        const error = toAISDKError(named('AI_APICallError', 'Bad.', { statusCode, url: 'https://api.test/' }), place);
        expect(error instanceof HttpError && error.reply.status).toBeUndefined();
        expect(error instanceof HttpError && error.reply.host).toBe('p');
      }
      expect(replyOf({ statusCode: 400 }).status).toBe(400);
    });

    test('with its headers, and what the package says of a repetition', () => {
      const advice = (fields: object): string | null | undefined => replyOf(fields).headers?.get('x-should-retry');
      const headers = replyOf({ statusCode: 429, responseHeaders: { 'Retry-After': '7' } }).headers;
      expect([headers?.get('retry-after'), headers?.get('x-other')]).toEqual(['7', null]);
      // `isRetryable` is the default of these statuses: it says nothing.
      for (const statusCode of [408, 409, 429, 500, 503]) expect(advice({ statusCode, isRetryable: true })).toBeNull();
      for (const statusCode of [400, 404, 499]) expect(advice({ statusCode, isRetryable: true })).toBe('true');
      expect(advice({ statusCode: 400, isRetryable: false })).toBeNull();
      expect(advice({ statusCode: 400, isRetryable: true, responseHeaders: { 'x-should-retry': 'false' } })).toBe(
        'false',
      );
      expect(replyOf({ statusCode: 400, isRetryable: true }).headers?.get('retry-after')).toBeNull();
      expect(replyOf({ statusCode: 400, responseHeaders: 'x' }).headers?.get('a')).toBeNull();
    });
  });

  test('of another kind is not sent again', () => {
    const error = toAISDKError(named('Error', 'odd'), place);
    expect(
      error instanceof HttpError && [
        error.reply.body,
        error.reply.headers?.get('x-should-retry'),
        error.reply.headers?.get('retry-after'),
      ],
    ).toEqual(['odd', 'false', null]);
  });

  test.each<[unknown, unknown]>([
    ['words', { error: 'words' }],
    [{ message: 'x' }, { error: { message: 'x' } }],
    [{ error: { message: 'x' } }, { error: { message: 'x' } }],
    [{ error: undefined, message: 'x' }, { error: { message: 'x' } }],
    [7, { error: '7' }],
  ])('within an answer: %j is reported as %j', (value, body) => {
    const error = toAISDKError(value, place);
    expect(error instanceof HttpError && error.reply).toMatchObject({ host: 'p', body });
  });
});

describe('the calls of an answer', () => {
  function create(limits?: object): {
    calls: ReturnType<typeof createCalls>;
    chunks: LLMChunk[];
    ends: () => unknown[];
  } {
    const chunks: LLMChunk[] = [];
    const calls = createCalls({
      host: 'h',
      emit: (chunk) => chunks.push(chunk),
      toError: () => new Error('x'),
      ...(limits && { limits }),
    });
    return {
      calls,
      chunks,
      ends: () =>
        chunks.flatMap((chunk) => (chunk.type === 'call-end' ? [[chunk.id, chunk.name, chunk.inputText]] : [])),
    };
  }

  test('are their ids: pieces belong to the newest open call of an id', () => {
    const { calls, ends } = create();
    calls.start('a', 'f');
    calls.start('b', 'g');
    calls.start('a', 'f');
    calls.add('a', '{"x":');
    calls.add('b', '{}');
    calls.add('c', 'ignored');
    calls.add('a', '1}');
    calls.complete('a', 'f', '{"x":1}', {});
    calls.start('a', 'f');
    calls.complete('a', 'f', '{"x":2}', {});
    calls.end('tool-calls');
    expect(ends()).toEqual([
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{}'],
      ['a', 'f', '{"x":2}'],
    ]);
    expect(calls.count).toBe(3);
  });

  test('are counted once with the same id, name and input', () => {
    const { calls, ends } = create();
    calls.complete('a', 'f', '{"x":1,"y":2}', {});
    calls.complete('a', 'f', '{"y":2,"x":1}', {});
    calls.complete('a', 'g', '{"x":1,"y":2}', {});
    calls.complete('b', 'f', '{"x":1,"y":2}', {});
    calls.complete('a', 'f', '{"x":3}', {});
    calls.end('tool-calls');
    expect(ends()).toEqual([
      ['a', 'f', '{"x":1,"y":2}'],
      ['a', 'g', '{"x":1,"y":2}'],
      ['b', 'f', '{"x":1,"y":2}'],
      ['a', 'f', '{"x":3}'],
    ]);
  });

  test('have the whole input, where a package corrected what it streamed', () => {
    const inputOf = (streamed: string, whole: string): unknown => {
      const { calls, ends } = create();
      calls.start('a', 'f');
      if (streamed) calls.add('a', streamed);
      calls.complete('a', 'f', whole, {});
      calls.end('tool-calls');
      return (ends()[0] as string[])[2];
    };
    expect(inputOf('{"x"', '{"x":1}')).toBe('{"x":1}');
    expect(inputOf('{"x":2}', '{"x":1}')).toBe('{"x":1}');
    expect(inputOf('{ "x": 1 }', '{"x":1}')).toBe('{ "x": 1 }');
    expect(inputOf('patch', 'patch')).toBe('patch');
    expect(inputOf('', '{}')).toBe('{}');
    expect(inputOf('{"x":', '{}')).toBe('{}');
  });

  test('have no input where the end cut it off, but for calls before the newest', () => {
    const { calls, ends } = create();
    calls.complete('a', 'f', '{}', {});
    calls.complete('b', 'f', '{}', {});
    calls.start('c', 'f');
    calls.end('length');
    expect(ends()).toEqual([
      ['a', 'f', '{}'],
      ['b', 'f', '{}'],
      ['c', 'f', ''],
    ]);
    const filtered = create();
    filtered.calls.complete('a', 'f', '{}', {});
    filtered.calls.end('content-filter');
    expect(filtered.ends()).toEqual([['a', 'f', '']]);
    const stopped = create();
    stopped.calls.complete('a', 'f', '{}', {});
    stopped.calls.end('stop');
    expect(stopped.ends()).toEqual([['a', 'f', '{}']]);
  });

  test('have an id and metadata only where there are some', () => {
    const { calls, chunks } = create();
    calls.complete('', 'f', '{"x":1}', {});
    calls.complete('a', 'f', '{"x":1}', { google: { thoughtSignature: 'S' } });
    calls.end('tool-calls');
    const [bare, full] = chunks.filter(({ type }) => type === 'call-end');
    expect(Object.keys(bare ?? {})).toEqual(['type', 'index', 'name', 'inputText']);
    expect(full).toMatchObject({ id: 'a', provider: { 'ai-sdk': { google: { thoughtSignature: 'S' } } } });
  });

  test('are limited in their number and size, and have a name', () => {
    const small = create({ calls: 2, call: 5 });
    small.calls.start('a', 'f');
    small.calls.start('b', 'f');
    expect(() => small.calls.start('c', 'f')).toThrow(expect.objectContaining({ code: 'STREAM_TOO_LARGE' }));
    small.calls.add('a', '12345');
    expect(() => small.calls.add('a', '6')).toThrow(expect.objectContaining({ code: 'STREAM_TOO_LARGE' }));
    expect(() => create().calls.start('a', '')).toThrow(expect.objectContaining({ code: 'STREAM_MALFORMED' }));
  });
});

describe('the blocks of an answer', () => {
  function create(): {
    blocks: ReturnType<typeof createBlocks>;
    chunks: LLMChunk[];
    summaries: JsonObject[];
    text: (kind?: string) => string;
  } {
    const chunks: LLMChunk[] = [];
    const summaries: JsonObject[] = [];
    const blocks = createBlocks(
      (chunk) => chunks.push(chunk),
      (summary) => summaries.push(summary),
    );
    return {
      blocks,
      chunks,
      summaries,
      text: (kind = 'text') =>
        chunks.map((chunk) => (chunk.type === kind && 'text' in chunk ? chunk.text : '')).join(''),
    };
  }
  const item = (itemId: string): JsonObject => ({ openai: { itemId } });
  const providers = (chunks: readonly LLMChunk[]): unknown[] =>
    chunks.flatMap((chunk) =>
      chunk.type === 'reasoning' && chunk.provider ? [toObject(toObject({ ...chunk }.provider))['ai-sdk']] : [],
    );

  test('of text continue each other, but items of the service stand apart', () => {
    const of = (first: JsonObject, second: JsonObject, words: readonly [string, string] = ['One.', 'Two.']): string => {
      const { blocks, text } = create();
      blocks.start('text', '1', first);
      blocks.add('text', '1', words[0], {});
      blocks.stop('text', '1', {});
      blocks.start('text', '2', second);
      blocks.add('text', '2', '', {});
      blocks.add('text', '2', words[1], {});
      blocks.end();
      return text();
    };
    expect(of({}, {})).toBe('One.Two.');
    expect(of(item('a'), item('a'))).toBe('One.Two.');
    expect(of(item('a'), item('b'))).toBe('One.\n\nTwo.');
    expect(of({}, item('b'))).toBe('One.\n\nTwo.');
    expect(of(item('a'), {})).toBe('One.Two.');
    expect(of(item('a'), item('b'), ['One.\n', 'Two.'])).toBe('One.\nTwo.');
    expect(of(item('a'), item('b'), ['One.', '\nTwo.'])).toBe('One.\nTwo.');
    expect(of(item('a'), item('b'), ['One.', 'Two.\n'])).toBe('One.\n\nTwo.\n');
  });

  test('of reasoning stand apart, but where other content is between', () => {
    const of = (between: (blocks: ReturnType<typeof createBlocks>) => void): string => {
      const { blocks, text } = create();
      blocks.start('reasoning', '1', {});
      blocks.add('reasoning', '1', 'A', {});
      blocks.add('reasoning', '1', 'a', {});
      blocks.stop('reasoning', '1', {});
      between(blocks);
      blocks.start('reasoning', '2', {});
      blocks.add('reasoning', '2', 'B', {});
      blocks.end();
      return text('reasoning');
    };
    expect(of(() => {})).toBe('Aa\n\nB');
    expect(of((blocks) => blocks.add('text', 't', 'x', {}))).toBe('AaB');
    expect(of((blocks) => blocks.interrupt())).toBe('AaB');
  });

  test('may begin with a piece', () => {
    const { blocks, text } = create();
    blocks.add('reasoning', '1', 'A', {});
    blocks.add('reasoning', '1', 'B', {});
    blocks.add('text', '2', 'C', {});
    blocks.add('text', '3', 'D', {});
    blocks.end();
    expect([text('reasoning'), text()]).toEqual(['AB', 'CD']);
  });

  test('emit their metadata at their end: of text, of one thought, and of thoughts that are open at once', () => {
    const { blocks, chunks } = create();
    blocks.start('text', 't', {});
    blocks.add('text', 't', 'x', { google: { a: 1 } });
    blocks.stop('text', 't', { google: { b: 2 } });
    blocks.start('reasoning', '1', {});
    blocks.add('reasoning', '1', 'Hm', {});
    blocks.stop('reasoning', '1', { anthropic: { signature: 'S' } });
    blocks.start('reasoning', '2', {});
    blocks.start('reasoning', '3', {});
    blocks.add('reasoning', '2', 'two', {});
    blocks.add('reasoning', '3', 'three', {});
    blocks.stop('reasoning', '2', {});
    blocks.stop('reasoning', '3', { openai: { itemId: 'r' } });
    blocks.start('reasoning', '4', {});
    blocks.stop('reasoning', '4', {});
    blocks.end();
    expect(providers(chunks)).toEqual([
      { of: 'text', metadata: { google: { a: 1, b: 2 } } },
      { of: 'reasoning', metadata: { anthropic: { signature: 'S' } } },
      {
        of: 'reasoning',
        blocks: [
          { chars: 3, metadata: {} },
          { chars: 7, metadata: { openai: { itemId: 'r' } } },
        ],
      },
    ]);
  });

  test('that are a summary of the service are no part of the answer', () => {
    const { blocks, chunks, summaries } = create();
    const metadata = { anthropic: { type: 'compaction' } };
    blocks.start('text', '1', metadata);
    blocks.add('text', '1', 'They ', {});
    blocks.add('text', '1', 'spoke.', {});
    blocks.stop('text', '1', {});
    blocks.end();
    expect(chunks).toEqual([]);
    expect(summaries).toEqual([{ text: 'They spoke.', providerMetadata: metadata }]);
  });
});

describe('a file of an answer', () => {
  test.each<[object, object | undefined]>([
    [
      { mediaType: 'image/png', data: 'QUJD' },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
    ],
    [
      { mediaType: 'audio/wav', data: 'QUJD' },
      { type: 'audio', mediaType: 'audio/wav', data: 'QUJD' },
    ],
    [{ data: 'QUJD' }, { type: 'file', mediaType: 'application/octet-stream', data: 'QUJD' }],
    [
      { mediaType: 'image/png', data: 'https://a.example/b' },
      { type: 'image', mediaType: 'image/png', url: 'https://a.example/b' },
    ],
    [
      { mediaType: 'image/png', data: 'http://a.example/b' },
      { type: 'image', mediaType: 'image/png', url: 'http://a.example/b' },
    ],
    [
      { mediaType: 'text/plain', data: 'xhttps://a' },
      { type: 'file', mediaType: 'text/plain', data: 'xhttps://a' },
    ],
    [
      { mediaType: 'image/png', data: new URL('https://a.example/b') },
      { type: 'image', mediaType: 'image/png', url: 'https://a.example/b' },
    ],
    [
      { mediaType: 'image/png', data: new Uint8Array([65, 66, 67]) },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
    ],
    [
      { mediaType: 'image/png', data: { type: 'data', data: 'QUJD' } },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
    ],
    [
      { mediaType: 'image/png', data: { type: 'url', url: new URL('https://a.example/b') } },
      { type: 'image', mediaType: 'image/png', url: 'https://a.example/b' },
    ],
    [{ mediaType: 'image/png', data: { data: 'QUJD' } }, undefined],
    [{ mediaType: 'image/png', data: '' }, undefined],
    [{ mediaType: 'image/png' }, undefined],
  ])('%j is %j', (file, part) => {
    expect(toMedia(file)).toEqual(part);
  });

  test('of many bytes is encoded as a whole', () => {
    const bytes = new Uint8Array(0x80_00 * 2 + 1).map((_, at) => at % 251);
    const { data = '' } = toMedia({ mediaType: 'image/png', data: bytes }) ?? {};
    expect(Uint8Array.from(atob(data), (char) => char.charCodeAt(0))).toEqual(bytes);
  });

  test('is the picture in the result of a tool of the provider', () => {
    for (const [begin, mediaType] of [
      ['iVBORw0KGgoX', 'image/png'],
      ['/9j/X', 'image/jpeg'],
      ['UklGRX', 'image/webp'],
    ] as const)
      expect(pictureOf({ result: begin, id: 'i' })).toEqual({
        picture: { type: 'image', mediaType, data: begin },
        rest: { id: 'i' },
      });
    expect(pictureOf({ result: 'XiVBORw0KGgo', id: 'i' })).toEqual({ rest: { result: 'XiVBORw0KGgo', id: 'i' } });
    expect(pictureOf('x')).toEqual({ rest: {} });
  });
});

describe('media of a prompt', () => {
  const image = { type: 'image', mediaType: 'image/PNG' } as const;
  const target = (urls: Readonly<Record<string, readonly RegExp[]>> = {}, version = 'v3') => ({ version, urls });

  test.each<[Readonly<Record<string, readonly RegExp[]>>, boolean]>([
    [{ '*': [/^https:/] }, true],
    [{ '*/*': [/^https:/] }, true],
    [{ 'image/*': [/^https:/] }, true],
    [{ 'image/png': [/^https:/] }, true],
    [{ 'IMAGE/PNG': [/^http:/, /^https:/] }, true],
    [{ 'image/p': [/^https:/] }, false],
    [{ 'video/*': [/^https:/] }, false],
    [{ 'image/*': [/^http:/] }, false],
    [{ 'image/*': [] }, false],
    [{}, false],
  ])('at an address is read by a model that states %j: %s', (urls, isRead) => {
    const part = toFilePart({ ...image, url: 'https://A.example/b' }, target(urls));
    expect(part).toEqual(
      isRead ? { type: 'file', mediaType: 'image/PNG', data: new URL('https://a.example/b') } : undefined,
    );
  });

  test('at no address is not read', () => {
    for (const url of [undefined, 'nonsense'])
      expect(toFilePart({ ...image, ...(url && { url }) }, target({ '*': [/./] }))).toBeUndefined();
  });

  test('has its data, its name and its metadata', () => {
    const file = { type: 'file', mediaType: 'application/pdf', data: 'QUJD', name: 'a.pdf' } as const;
    expect(toFilePart(file, target())).toEqual({
      type: 'file',
      mediaType: 'application/pdf',
      data: 'QUJD',
      filename: 'a.pdf',
    });
    expect(toFilePart(file, target({}, 'v4'), { x: { y: 1 } }, 'reasoning-file')).toEqual({
      type: 'reasoning-file',
      mediaType: 'application/pdf',
      data: { type: 'data', data: 'QUJD' },
      providerOptions: { x: { y: 1 } },
    });
    expect(toFilePart({ ...image, url: 'https://a.example/b' }, target({ '*': [/./] }, 'v4'))).toMatchObject({
      data: { type: 'url', url: new URL('https://a.example/b') },
    });
    expect(Object.keys(toFilePart({ ...image, data: 'QUJD' }, target()) ?? {})).toEqual(['type', 'mediaType', 'data']);
  });

  test('is words where it cannot be read, or is only named', () => {
    const inline = { ...image, url: 'data:image/png;base64,QUJD' };
    expect(toMediaPart(inline, target(), false)).toEqual({ type: 'file', mediaType: 'image/png', data: 'QUJD' });
    expect(toMediaPart(inline, target(), true)).toMatchObject({ type: 'text', text: expect.stringContaining('image') });
    expect(toMediaPart({ ...image, url: 'https://a.example/b' }, target(), false)).toMatchObject({ type: 'text' });
    expect(
      toMediaPart({ type: 'file', mediaType: 'text/plain', url: 'data:text/plain;base64,SGk=' }, target(), true),
    ).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Hi'),
    });
  });
});

describe('a value in the place of a model', () => {
  const run = (): void => {};
  test.each<[string, unknown, string]>([
    ['a name', 'gpt-5', 'name of a model'],
    ['a promise', Promise.resolve(), 'Promise'],
    ['a client', { sendRequest: run }, 'client of Brooklet'],
    ['a provider', run, 'a provider'],
    ['a provider that is an object', { languageModel: run }, 'a provider'],
    ['an engine', { interruptGenerate: run }, 'web-llm'],
    ['the SDK of Anthropic', { messages: { create: run } }, 'Anthropic'],
    ['an SDK', { chat: {} }, 'SDK of a service'],
    ['an SDK whose chat is a function', { chat: run }, 'SDK of a service'],
    ['a model of embeddings', { doEmbed: run }, 'writes no text'],
    ['half a model', { doGenerate: run }, 'writes no text'],
    ['nothing', undefined, 'Pass the model of a provider package'],
    ['null', null, 'Pass the model of a provider package'],
    ['another object', {}, 'Pass the model of a provider package'],
    ['half a model that streams', { doStream: run }, 'Pass the model of a provider package'],
    ['a model of a later version', { ...createFakeModel([]), specificationVersion: 'v9' }, '"v9"'],
    ['a model of no version', { ...createFakeModel([]), specificationVersion: undefined }, 'of none'],
    ['a model without a name', { ...createFakeModel([]), modelId: 7 }, 'not a text'],
    ['a model without a provider', { ...createFakeModel([]), provider: undefined }, 'not a text'],
  ])('%s is refused, and named', (_, value, words) => {
    expect(() => checkModel(value)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(words) }),
    );
    expect(() => checkModel(value)).not.toThrow('  ');
  });

  test('runs in the page where it has both functions of such a model', () => {
    const functions = { availability: run, createSessionWithProgress: run };
    expect(toModelInPage(functions)).toBe(functions);
    expect(toModelInPage({ availability: run })).toBeUndefined();
    expect(toModelInPage({ createSessionWithProgress: run })).toBeUndefined();
  });
});

test.each<[string, object, object]>([
  ['openai.responses', {}, { signedReasoning: true, looseTools: true, strictOption: 'openai' }],
  ['azure-openai.chat', {}, { signedReasoning: true, looseTools: true, strictOption: 'azure-openai' }],
  ['my-openai.chat', {}, { looseTools: false, signedReasoning: false }],
  ['groq.chat', {}, { strictOption: 'groq', looseTools: false }],
  ['compatible.chat', { supportsStructuredOutputs: true }, { strictOption: 'compatible', schemaInWords: false }],
  ['compatible.chat', { supportsStructuredOutputs: false }, { schemaInWords: true }],
  ['mistral.chat', {}, { alternate: true, shortCallIds: true, signedReasoning: true }],
  ['moonshotai.chat', {}, { needsReasoning: true }],
  ['amazon-bedrock', {}, { signedReasoning: true }],
])('the provider %s with %j has its traits', (provider, fields, traits) => {
  const found = traitsOf(createFakeModel([], { provider, ...fields }));
  expect(found).toMatchObject(traits);
  if (!('strictOption' in traits)) expect(found.strictOption).toBeUndefined();
});

test.each(['moonshotai', 'kimi', 'ollama', 'llamacpp', 'lmstudio', 'lm-studio'])(
  '%s gets plain schemas, Anthropic plain names',
  (name) => {
    const schema = { type: 'object', properties: { 'a b': {}, c: { pattern: 'x' } } };
    const of = (provider: string): JsonObject => traitsOf(createFakeModel([], { provider })).toSchema(schema);
    expect(of(`${name}.chat`).properties).toMatchObject({ c: { type: expect.any(Array), description: 'Pattern: x' } });
    expect(Object.keys(of('anthropic.messages').properties ?? {})).toEqual(['c']);
    expect(of('openai.chat')).toBe(schema);
  },
);
