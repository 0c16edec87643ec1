import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, LoadAPIKeyError, NoSuchModelError, TypeValidationError } from '@ai-sdk/provider';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { createAgent } from '../../../../src/core/agent/create-agent.ts';
import { defineTool } from '../../../../src/core/tools/define-tool.ts';
import type { Retry } from '../../../../src/core/retries.ts';
import { withRetry } from '../../../../src/llm/middleware/retry.ts';
import { type AISDKOptions, createAISDKClient } from '../../../../src/llm/wires/ai-sdk/client.ts';
import { createScriptedClient } from '../../../../src/testing/scripted.ts';
import { collect, createFakeModel, finish, textOf } from '../../../support/ai-sdk.ts';
import { delta, frame } from '../../../support/llm-answer.ts';

const hello = [...textOf('t', 'Hello'), finish()];

/** Timers that fire at once and are recorded, but for the ticks of the watchdog, which never fire. */
function createTimers() {
  const waits: number[] = [];
  return {
    waits,
    delay: (callback: () => void, ms: number) => {
      // 100 ms: a page that is being left; from 15,000 ms: the watchdog.
      if (ms < 15_000) queueMicrotask(callback);
      if (ms < 15_000 && ms !== 100) waits.push(ms);
      return () => {};
    },
  };
}

describe('what is no language model is refused at once', () => {
  // The values are passed without types, as a page written in JavaScript does.
  const create = createAISDKClient as (model: unknown, options?: object) => unknown;

  test.each([
    ['a name', 'openai/gpt-5', 'the name of a model'],
    ['a provider', createOpenAI({ apiKey: 'k' }), 'Call it with the name of a model'],
    ['a promise', Promise.resolve(), 'Await it'],
    ['a client', createScriptedClient([]), 'Pass it to createAgent'],
    ['an engine', { interruptGenerate() {}, reload() {} }, '@browser-ai/web-llm'],
    ['the SDK of OpenAI', new OpenAI({ apiKey: 'k', dangerouslyAllowBrowser: true }), 'createOpenAIClient'],
    ['the SDK of Anthropic', { messages: { create() {} } }, 'createAnthropicClient'],
    ['an embedding model', createOpenAI({ apiKey: 'k' }).embedding('e'), 'Pass a language model'],
    ['nothing', undefined, 'Pass the model of a provider package'],
    ['a model of AI SDK 4', { ...createFakeModel([]), specificationVersion: 'v1' }, '"v1"'],
    ['a model without a version', { ...createFakeModel([]), specificationVersion: undefined }, 'of none'],
    ['a model without a provider', { ...createFakeModel([]), provider: undefined }, '`provider`'],
  ])('%s', (_, model, words) => {
    expect(() => create(model)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(words) }),
    );
  });

  test.each([
    ['maxRetries', -1],
    ['onWarning', 'x'],
    ['onLoad', 1],
    ['origin', 7],
    ['models', {}],
    ['stream', 'no'],
    ['timeouts', { first: 0 }],
  ])('an option: %s', (name, value) => {
    expect(() => create(createFakeModel([]), { [name]: value })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(name) }),
    );
  });
});

describe('another model', () => {
  test('is an error without `models`, and its own name is none', async () => {
    const model = createFakeModel([hello]);
    const client = createAISDKClient(model);
    expect((await collect(client, { model: 'big' })).error).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(model.calls).toHaveLength(0);
    expect((await collect(client, { model: 'm' })).error).toBeUndefined();
  });

  test('answers where `models` returns it, and what is none is refused', async () => {
    const big = createFakeModel([hello], { provider: 'big.chat' });
    const asked: string[] = [];
    const models = (id: string) => {
      asked.push(id);
      return big;
    };
    const client = createAISDKClient(createFakeModel([]), { models });
    expect((await collect(client, { model: 'big' })).error).toBeUndefined();
    expect(asked).toEqual(['big']);
    const wrong = createAISDKClient(createFakeModel([]), { models: (() => 'big') as never });
    expect((await collect(wrong, { model: 'big' })).error).toMatchObject({ code: 'INVALID_CONFIG' });
  });
});

test('metadata returns to the same provider at the same origin only', async () => {
  const parts = [
    { type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{}', providerMetadata: { p: { a: 1 } } },
    finish('tool-calls'),
  ];
  const hostOf = async (options: AISDKOptions): Promise<unknown> => {
    const { chunks } = await collect(createAISDKClient(createFakeModel([parts]), options));
    return chunks.find(({ type }) => type === 'call-end');
  };
  expect(await hostOf({})).toMatchObject({ provider: { host: 'test.chat' } });
  expect(await hostOf({ origin: 'https://a.test' })).toMatchObject({ provider: { host: 'test.chat https://a.test' } });
  expect(createAISDKClient(createFakeModel([]), { origin: 'https://a.test' }).origin).toBe('https://a.test');
});

describe('errors', () => {
  const errorOf = async (thrown: Error, options: AISDKOptions = { maxRetries: 0 }) =>
    (await collect(createAISDKClient(createFakeModel([thrown]), options))).error;
  const reply = (statusCode: number | undefined, responseBody = '', more: object = {}): APICallError =>
    new APICallError({
      message: 'Failed',
      url: 'https://api.test/v1/chat?key=secret',
      requestBodyValues: {},
      ...(statusCode !== undefined && { statusCode }),
      responseBody,
      ...more,
    });

  test.each([
    [reply(401), 'AUTHENTICATION_FAILED', false],
    [reply(429), 'RATE_LIMIT_EXCEEDED', true],
    [reply(529), 'OVERLOADED', true],
    [reply(400, '{"error":{"code":"context_length_exceeded","message":"Too long"}}'), 'CONTEXT_OVERFLOW', false],
    [reply(429, '{"error":{"type":"insufficient_quota","message":"No."}}'), 'INSUFFICIENT_QUOTA', false],
    [reply(400, '', { isRetryable: true }), 'INVALID_REQUEST', true],
    [
      reply(undefined, '', { message: 'Cannot connect to API: fetch failed', cause: new TypeError('x') }),
      'NETWORK_ERROR',
      true,
    ],
    [new LoadAPIKeyError({ message: 'OpenAI API key is missing.' }), 'AUTHENTICATION_FAILED', false],
    [new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), 'MODEL_NOT_FOUND', false],
    [new TypeValidationError({ value: 'secret', cause: 'x' }), 'STREAM_MALFORMED', false],
    [new Error('Prompt tokens exceed context window size'), 'CONTEXT_OVERFLOW', false],
    [new Error('no such kernel'), 'LLM_API_ERROR', false],
    [new DOMException('Slow', 'TimeoutError'), 'REQUEST_TIMEOUT', true],
    [new TypeError('Failed to fetch'), 'NETWORK_ERROR', true],
  ] as const)('%s is %s', async (thrown, code, retryable) => {
    const error = await errorOf(thrown);
    expect(error).toMatchObject({ code, retryable });
    expect(error?.message).not.toContain('secret');
  });

  test('state status, host and delay as the service does', async () => {
    const error = await errorOf(
      reply(429, '{"error":{"message":"Slow down"}}', { responseHeaders: { 'Retry-After': '7' } }),
    );
    expect(error).toMatchObject({ status: 429, retryAfter: 7_000 });
    expect(error?.message).toContain('429 from api.test');
    expect(error?.message).toContain('Slow down');
  });

  test.each([
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'OVERLOADED'],
    [{ type: 'error', error: { error: { type: 'rate_limit_error', message: 'Slow' } } }, 'RATE_LIMIT_EXCEEDED'],
    [{ type: 'error', error: 'The prompt is too long: 9 tokens' }, 'CONTEXT_OVERFLOW'],
    [{ type: 'error', error: undefined }, 'LLM_API_ERROR'],
    [{ type: 'error', error: reply(503) }, 'OVERLOADED'],
    [{ type: 'error', error: new DOMException('Gone', 'AbortError') }, 'STREAM_INTERRUPTED'],
  ])('within the answer keep what was shown: %j', async (part, code) => {
    const model = createFakeModel([[...textOf('t', 'Hel'), part, finish()]]);
    const { chunks, error } = await collect(createAISDKClient(model));
    expect(chunks).toEqual([{ type: 'text', text: 'Hel' }]);
    expect(error).toMatchObject({ code });
    expect(model.calls).toHaveLength(1);
  });

  test('of a stream that breaks are interruptions', async () => {
    const model = new MockLanguageModelV3({
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream({
            pull(controller) {
              controller.error(new TypeError('network error'));
            },
          }),
        }),
    });
    const { error } = await collect(createAISDKClient(model, { maxRetries: 0 }));
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: true });
  });
});

describe('retry', () => {
  const busy = new APICallError({
    message: 'Busy',
    url: 'https://api.test',
    requestBodyValues: {},
    statusCode: 503,
    responseHeaders: { 'retry-after': '2' },
  });

  test('repeats twice by itself, after the delay of the service, and tells', async () => {
    const timers = createTimers();
    const retries: Retry[] = [];
    const model = createFakeModel([busy, busy, hello]);
    const client = createAISDKClient(model, { delay: timers.delay, onRetry: (retry) => retries.push(retry) });
    const { chunks, error } = await collect(client);
    expect(error).toBeUndefined();
    expect(chunks[0]).toEqual({ type: 'text', text: 'Hello' });
    expect(timers.waits).toEqual([2_000, 2_000]);
    expect(retries.map(({ attempt, attempts }) => [attempt, attempts])).toEqual([
      [2, 3],
      [3, 3],
    ]);
  });

  test('is replaced by withRetry: attempts do not multiply', async () => {
    const { delay } = createTimers();
    const model = createFakeModel([busy]);
    await collect(withRetry(createAISDKClient(model, { delay }), { retries: 3, delay }));
    expect(model.calls).toHaveLength(4);
  });

  test('does not repeat a refusal, an error of the model, or with maxRetries: 0', async () => {
    const refusal = new APICallError({ message: 'No', url: 'x', requestBodyValues: {}, statusCode: 400 });
    for (const [thrown, options] of [
      [refusal, {}],
      [new Error('no such kernel'), {}],
      [busy, { maxRetries: 0 }],
    ] as const) {
      const model = createFakeModel([thrown]);
      await collect(createAISDKClient(model, { delay: createTimers().delay, ...options }));
      expect(model.calls).toHaveLength(1);
    }
  });
});

describe('cancel', () => {
  /** A model that streams one piece and then waits, and counts what it is told. */
  function createWaiting() {
    const told = { aborts: 0, cancels: 0 };
    const model = createFakeModel([], {
      doStream({ abortSignal }: { abortSignal: AbortSignal }) {
        abortSignal.addEventListener('abort', () => (told.aborts += 1));
        return Promise.resolve({
          stream: new ReadableStream({
            start(controller) {
              for (const part of textOf('t', 'Hel')) controller.enqueue(part);
            },
            cancel() {
              told.cancels += 1;
            },
          }),
        });
      },
    });
    return { told, model };
  }

  test('aborts the call once, and cancels its stream', async () => {
    const { told, model } = createWaiting();
    await new Promise<void>((resolve) => {
      const subscription = createAISDKClient(model)
        .sendRequest({ sessionId: 's', messages: [] })
        .subscribe(() => {
          queueMicrotask(() => {
            subscription.unsubscribe();
            subscription.unsubscribe();
            resolve();
          });
        });
    });
    expect(told).toEqual({ aborts: 1, cancels: 1 });
  });

  test('before the stream is there cancels it as it comes, and reports nothing', async () => {
    const told: string[] = [];
    let open = (): void => {};
    const model = createFakeModel([], {
      doStream: ({ abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise((resolve) => {
          abortSignal.addEventListener('abort', () => told.push('abort'));
          open = () => resolve({ stream: new ReadableStream({ cancel: () => void told.push('cancel') }) });
        }),
    });
    const subscription = createAISDKClient(model)
      .sendRequest({ sessionId: 's', messages: [] })
      .subscribe({ error: () => told.push('error') });
    await new Promise((resolve) => setImmediate(resolve));
    subscription.unsubscribe();
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['abort', 'cancel']);
  });

  test('is not what the end of an answer does', async () => {
    const told: string[] = [];
    const model = createFakeModel([], {
      doStream({ abortSignal }: { abortSignal: AbortSignal }) {
        abortSignal.addEventListener('abort', () => told.push('abort'));
        const stream = new ReadableStream({
          start(controller) {
            for (const part of hello) controller.enqueue(part);
            controller.close();
          },
        });
        return Promise.resolve({ stream });
      },
    });
    await collect(createAISDKClient(model));
    expect(told).toEqual([]);
  });

  test('follows a silence that is too long, once', async () => {
    const { told, model } = createWaiting();
    // The watchdog's ticks, one after the other.
    const ticks: (() => void)[] = [];
    const delay = (callback: () => void): (() => void) => {
      ticks.push(callback);
      return () => {};
    };
    const answer = collect(createAISDKClient(model, { maxRetries: 0, delay, timeouts: { idle: 4 } }));
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      ticks.shift()?.();
    }
    expect((await answer).error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout: 'idle', retryable: false });
    expect(told).toEqual({ aborts: 1, cancels: 1 });
  });
});

test('a model of a service is always available, and has nothing to load', async () => {
  const client = createAISDKClient(createFakeModel([]));
  expect(await client.availability()).toBe('available');
  const loads: number[] = [];
  await new Promise<void>((resolve) => client.download().subscribe({ next: (n) => loads.push(n), complete: resolve }));
  expect(loads).toEqual([]);
});

describe('provider packages against a server', () => {
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });

  interface Seen {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: { readonly messages: readonly Record<string, unknown>[] };
  }

  /** Starts a server on this machine that answers with these, one after the other. */
  async function serve(...answers: ((response: ServerResponse) => void)[]) {
    const requests: Seen[] = [];
    const closed: Promise<void>[] = [];
    const server = createServer((request, response) => {
      let text = '';
      closed.push(new Promise((resolve) => response.on('close', resolve)));
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        requests.push({
          path: request.url ?? '',
          headers: request.headers,
          body: JSON.parse(text) as Seen['body'],
        });
        answers[Math.min(requests.length, answers.length) - 1]?.(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { baseURL: `http://127.0.0.1:${port}/v1`, requests, closed };
  }

  const stream = (text: string) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  };
  const say = (text: string) => stream(frame([delta({ content: text }), delta({}, 'stop')]));
  const refuse =
    (status: number, body: string, headers = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    };
  const callOf = (input: string) =>
    stream(
      frame([
        delta({ reasoning_content: 'I add.' }),
        delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'add', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: input } }] }),
        delta({}, 'tool_calls'),
      ]),
    );

  test('runs a tool, answers the second question, and survives a 503', async () => {
    const { baseURL, requests } = await serve(
      refuse(503, '{"error":{"message":"busy"}}'),
      callOf('{"a":1,"b":2}'),
      say('Three.'),
      say('Yes.'),
    );
    const model = createOpenAICompatible({ name: 'local', apiKey: 'sk-secret', baseURL }).chatModel('m');
    const add = defineTool({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      execute: ({ a, b }) => Number(a) + Number(b),
    });
    const client = createAISDKClient(model, { delay: createTimers().delay });
    const agent = createAgent({ client, tools: [add], instructions: 'Be brief.' });
    const session = await agent.openSession(agent.createSession());
    await session.send('1 + 2?');
    await session.send('Sure?');
    expect(session.getMessages().map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['reasoning', 'tool']],
      ['assistant', ['text']],
      ['user', ['text']],
      ['assistant', ['text']],
    ]);
    expect(requests.map(({ path }) => path)).toEqual(Array.from({ length: 4 }, () => '/v1/chat/completions'));
    expect(requests.at(-1)?.headers.authorization).toBe('Bearer sk-secret');
    expect(requests.at(-1)?.body.messages).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '1 + 2?' },
      { role: 'assistant', reasoning_content: 'I add.', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: '3' },
      { role: 'assistant', content: 'Three.' },
      { role: 'user', content: 'Sure?' },
    ]);
    expect(JSON.stringify(session.getState())).not.toContain('sk-secret');
  });

  test.each([
    ['openai', (baseURL: string) => createOpenAI({ apiKey: 'k', baseURL })('gpt-5')],
    ['anthropic', (baseURL: string) => createAnthropic({ apiKey: 'k', baseURL })('claude-sonnet-4-5')],
    ['openai-compatible', (baseURL: string) => createOpenAICompatible({ name: 'x', baseURL }).chatModel('m')],
  ])('reports an error of the service by status and delay: %s', async (_, modelAt) => {
    const body = '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down, please"}}';
    const { baseURL } = await serve(refuse(429, body, { 'retry-after': '40' }));
    const { error } = await collect(createAISDKClient(modelAt(baseURL)));
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfter: 40_000, retryable: true });
    expect(error?.message).toContain('127.0.0.1');
    expect(error?.message).toContain('Slow down, please');
  });

  test('closes the connection of a run that is cancelled', async () => {
    const { baseURL, closed } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame([delta({ content: 'Once upon' })], { done: false }));
    });
    const model = createOpenAICompatible({ name: 'local', baseURL }).chatModel('m');
    await new Promise<void>((resolve) => {
      const subscription = createAISDKClient(model)
        .sendRequest({ sessionId: 's', messages: [] })
        .subscribe(() => {
          queueMicrotask(() => {
            subscription.unsubscribe();
            resolve();
          });
        });
    });
    await closed[0];
  });

  test('reports an answer whose connection was closed', async () => {
    const cut = frame([delta({ content: 'Once upon' })], { done: false });
    const { baseURL } = await serve(stream(cut));
    const modelOf = (name: string) =>
      name === 'openai'
        ? createOpenAI({ apiKey: 'k', baseURL }).chat('m')
        : createOpenAICompatible({ name, baseURL }).chatModel('m');
    for (const name of ['openai', 'local']) {
      const { chunks, error } = await collect(createAISDKClient(modelOf(name)));
      expect(chunks).toEqual([{ type: 'text', text: 'Once upon' }]);
      expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: false });
    }
  });

  test('reports a server that is not there', async () => {
    const model = createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1:9/v1' }).chatModel('m');
    const { error } = await collect(createAISDKClient(model, { maxRetries: 0 }));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
    expect(error?.message).toContain('127.0.0.1:9');
  });
});
