import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createAGUIClient } from '../../../src/agui/index.ts';
import { createAgent } from '../../../src/core/agent/create-agent.ts';
import type { AgentError } from '../../../src/core/error.ts';
import type { LLMClient } from '../../../src/core/model/llm.ts';
import { getRetry, type Retry } from '../../../src/core/retries.ts';
import { withConcurrency } from '../../../src/llm/middleware/concurrency.ts';
import { withFallback } from '../../../src/llm/middleware/fallback.ts';
import { withRetry } from '../../../src/llm/middleware/retry.ts';
import { createAnthropicClient } from '../../../src/llm/wires/anthropic/index.ts';
import { createChatCompletionsClient } from '../../../src/llm/wires/chat-completions/client.ts';
import { createOpenAIClient } from '../../../src/llm/wires/openai-sdk/index.ts';
import { createResponsesClient } from '../../../src/llm/wires/responses/client.ts';
import { createProviderClient, openrouter } from '../../../src/llm/providers/index.ts';
import { createScriptedClient, reply } from '../../../src/testing/scripted.ts';
import { delta, frame } from '../../support/llm-answer.ts';

const page = { headers: { 'content-type': 'text/event-stream' } };
const hello = (): Response => new Response(frame([delta({ content: 'Hello' }), delta({}, 'stop')]), page);
const failing = (status: number, headers = {}, body = ''): Response => new Response(body, { status, headers });

/** Answers each request with the next of these; the last one again and again. */
function createService(...answers: (() => Response | Promise<Response>)[]) {
  const service = {
    requests: 0,
    fetch: async (): Promise<Response> => {
      const answer = answers[Math.min(service.requests, answers.length - 1)] ?? hello;
      service.requests += 1;
      return answer();
    },
  };
  return service;
}

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

const openai = { baseURL: 'https://api.test/v1', apiKey: 'k', model: 'm' };
type Options = Partial<Parameters<typeof createChatCompletionsClient>[0]>;
const chat = (options: Options): LLMClient => createChatCompletionsClient({ ...openai, ...options });

function hear(client: LLMClient): Promise<{ text: string; error?: AgentError }> {
  return new Promise((resolve) => {
    let text = '';
    client.sendRequest({ sessionId: 's', messages: [] }).subscribe({
      next: (chunk) => (text += chunk.type === 'text' ? chunk.text : ''),
      error: (error: AgentError) => resolve({ text, error }),
      complete: () => resolve({ text }),
    });
  });
}

const clients: [string, (options: Options) => LLMClient][] = [
  ['chat completions', chat],
  ['responses', (options) => createResponsesClient({ ...openai, ...options })],
  ['Anthropic', (options) => createAnthropicClient({ apiKey: 'k', model: 'm', ...options })],
  ['a provider', (options) => createProviderClient(openrouter, { apiKey: 'k', model: 'm', ...options })],
  [
    'the OpenAI SDK',
    ({ fetch, ...options }) =>
      createOpenAIClient(new OpenAI({ ...openai, dangerouslyAllowBrowser: true, ...(fetch && { fetch }) }), options),
  ],
  ['AG-UI', (options) => createAGUIClient({ url: 'https://agent.test/run', ...options })],
];

describe.each(clients)('the client of %s', (_, create) => {
  test('sends a request three times, with growing delays, and tells each', async () => {
    const service = createService(() => failing(503));
    const { waits, delay } = createTimers();
    const told: Retry[] = [];
    const { error } = await hear(create({ fetch: service.fetch, delay, onRetry: (retry) => told.push(retry) }));
    expect(error).toMatchObject({ code: 'OVERLOADED', status: 503 });
    expect(service.requests).toBe(3);
    expect(told).toMatchObject([
      { sessionId: 's', attempt: 2, attempts: 3, error: { code: 'OVERLOADED' } },
      { attempt: 3, attempts: 3 },
    ]);
    expect(waits).toEqual(told.map(({ ms }) => ms));
    for (const [at, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(400 * 2 ** at);
      expect(ms).toBeLessThanOrEqual(600 * 2 ** at);
    }
  });

  test('sends once with maxRetries 0, and as often as maxRetries says', async () => {
    for (const maxRetries of [0, 1, 4]) {
      const service = createService(() => failing(429));
      await hear(create({ fetch: service.fetch, delay: createTimers().delay, maxRetries }));
      expect(service.requests).toBe(maxRetries + 1);
    }
  });

  test('sends once after a refusal that means "never"', async () => {
    for (const status of [400, 401, 402, 403, 404, 413, 422]) {
      const service = createService(() => failing(status, {}, '{"error":{"message":"no"}}'));
      const { error } = await hear(create({ fetch: service.fetch, delay: createTimers().delay }));
      expect([service.requests, error?.status]).toEqual([1, status]);
    }
  });

  test('is replaced by withRetry, also around other wrappers: attempts do not multiply', async () => {
    const wrappers: ((client: LLMClient) => LLMClient)[] = [
      (client) => client,
      (client) => withConcurrency(client, 1),
      (client) => withFallback([client]),
      // A wrapper of the page's own that changes the request.
      (client) => ({ sendRequest: (request) => client.sendRequest({ ...request, temperature: 0 }) }),
      (client) => withRetry(client, { retries: 1, delay: createTimers().delay }),
    ];
    for (const wrap of wrappers) {
      const service = createService(() => failing(503));
      const client = wrap(create({ fetch: service.fetch, delay: createTimers().delay }));
      await hear(withRetry(client, { retries: 3, delay: createTimers().delay }));
      expect(service.requests).toBe(4);
    }
  });
});

test.each<[string, () => Response | Promise<Response>]>([
  ['408', () => failing(408)],
  ['409', () => failing(409)],
  ['425', () => failing(425)],
  ['429', () => failing(429)],
  ['500', () => failing(500)],
  ['502 with a page', () => failing(502, {}, '<html></html>')],
  ['503', () => failing(503)],
  ['504', () => failing(504)],
  ['529', () => failing(529)],
  ['a connection that fails', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer that is cut before its first chunk', () => new Response(': hello\n\n', page)],
  [
    'a broken call in the place of an answer (Gemini)',
    () =>
      new Response(
        'data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"function_call_filter: MALFORMED_FUNCTION_CALL"}]}\n\ndata: [DONE]\n\n',
        page,
      ),
  ],
  ['an error before the first chunk', () => new Response('data: {"error":{"type":"overloaded_error"}}\n\n', page)],
])('a request is sent again after %s', async (_, fail) => {
  const service = createService(fail, hello);
  expect(await hear(chat({ fetch: service.fetch, delay: createTimers().delay }))).toEqual({ text: 'Hello' });
  expect(service.requests).toBe(2);
});

test('a request is not sent again once a chunk has arrived', async () => {
  const service = createService(() => new Response(frame([delta({ content: 'Hel' })], { done: false }), page));
  const { text, error } = await hear(chat({ fetch: service.fetch, delay: createTimers().delay }));
  expect([text, error?.code, service.requests]).toEqual(['Hel', 'STREAM_INTERRUPTED', 1]);
});

test('the run of a remote agent is not repeated where it may have begun', async () => {
  const lost: (() => Response | Promise<Response>)[] = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => failing(500),
    () => failing(504),
    () => new Response(': hello\n\n', page),
  ];
  for (const fail of lost) {
    const service = createService(fail);
    await hear(createAGUIClient({ url: 'https://agent.test/run', fetch: service.fetch, delay: createTimers().delay }));
    expect(service.requests).toBe(1);
  }
});

describe('the delay', () => {
  test.each<[string, HeadersInit, string, number[]]>([
    ['in seconds', { 'retry-after': '7' }, '', [7_000]],
    ['in ms', { 'retry-after-ms': '1500', 'retry-after': '2' }, '', [1_500]],
    ['in the body', {}, '{"error":{"message":"Please try again in 2.5s."}}', [2_500]],
    ['of an exhausted limit', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6.5s' }, '', [6_500]],
  ])('is that of the service: %s', async (_, headers, body, expected) => {
    const { waits, delay } = createTimers();
    const service = createService(() => failing(429, headers, body), hello);
    expect(await hear(chat({ fetch: service.fetch, delay }))).toEqual({ text: 'Hello' });
    expect(waits).toEqual(expected);
  });

  test('is bounded: the request fails at once where the service asks for days, and says so', async () => {
    const service = createService(() => failing(429, { 'retry-after': '172800' }));
    const { error } = await hear(chat({ fetch: service.fetch, delay: createTimers().delay }));
    expect(service.requests).toBe(1);
    expect(error).toMatchObject({ retryAfter: 172_800_000, message: expect.stringContaining('Try again in 2 days.') });
  });

  test('a listener that throws changes nothing', async () => {
    const service = createService(() => failing(503), hello);
    const onRetry = (): never => {
      throw new Error('mine');
    };
    expect(await hear(chat({ fetch: service.fetch, delay: createTimers().delay, onRetry }))).toEqual({ text: 'Hello' });
  });
});

describe('createOpenAIClient', () => {
  const sdkWith = (fetch: typeof globalThis.fetch, options: object): OpenAI =>
    new OpenAI({ ...openai, dangerouslyAllowBrowser: true, fetch, ...options });

  test.each([
    [{}, {}, 3],
    [{ maxRetries: 5 }, {}, 6],
    [{ maxRetries: 0 }, {}, 1],
    [{ maxRetries: 5 }, { maxRetries: 1 }, 2],
  ])('keeps the maxRetries of the SDK: %j, %j', async (given, own, requests) => {
    const service = createService(() => failing(503));
    await hear(createOpenAIClient(sdkWith(service.fetch, given), { delay: createTimers().delay, ...own }));
    expect(service.requests).toBe(requests);
  });

  test('keeps the timeout of the SDK', async () => {
    const fetch = (_: unknown, init?: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const { error } = await hear(createOpenAIClient(sdkWith(fetch, { timeout: 5 })));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout: 'connect' });
  });

  test.each<[string, object, RegExp]>([
    [
      'an engine of web-llm',
      { chat: { completions: { create: () => {} } }, reload() {}, interruptGenerate() {} },
      /web-llm.*createClientFromChunks/,
    ],
    ['a promise', Promise.resolve({}), /a Promise\. Await it first/],
    ['a model of the AI SDK', { specificationVersion: 'v3', doStream() {} }, /AI SDK.*createAISDKClient/],
    ['the SDK of Anthropic', { messages: { create() {} } }, /createAnthropicClient/],
    ['a client of this package', chat({}), /createAgent/],
    ['nothing', {}, /pass `new OpenAI/],
  ])('names what it was given: %s', (_, given, message) => {
    expect(() => createOpenAIClient(given as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringMatching(message) }),
    );
  });

  test('does not blame the network for an SDK of another shape', async () => {
    const foreign = { chat: { completions: { create: () => Promise.resolve([]) } } };
    const { error } = await hear(createOpenAIClient(foreign as never));
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', message: expect.not.stringMatching(/CORS|No answer/) });
  });
});

describe('without a network', () => {
  const offline = reply.fail('OFFLINE', 'You are offline.');

  function createNetwork() {
    const network = { comeBack: (): void => {}, cancelled: 0 };
    const online = (callback: () => void) => {
      network.comeBack = callback;
      return () => void (network.cancelled += 1);
    };
    return { network, online };
  }

  test('the request waits for the network, is told so, and is sent as soon as it is back', async () => {
    const { network, online } = createNetwork();
    const told: Retry[] = [];
    const client = createScriptedClient([[offline], [reply.text('Back.')]]);
    const waiting = new Promise<void>((resolve) => {
      const answer = hear(
        withRetry(client, { online, delay: () => () => {}, onRetry: (retry) => (told.push(retry), resolve()) }),
      );
      void answer.then(({ text }) => told.push({ text } as never));
    });
    await waiting;
    await Promise.resolve();
    expect([client.requests.length, getRetry('s')?.until]).toEqual([1, 'online']);
    network.comeBack();
    await expect.poll(() => told.length).toBe(2);
    expect(told).toMatchObject([{ until: 'online', ms: 300_000, attempt: 2 }, { text: 'Back.' }]);
    expect([getRetry('s'), network.cancelled]).toEqual([undefined, 1]);
  });

  test('the wait is bounded', async () => {
    const { online } = createNetwork();
    const client = createScriptedClient(() => [offline]);
    const { error } = await hear(
      withRetry(client, { online, delay: (callback) => (queueMicrotask(callback), () => {}) }),
    );
    expect([error?.code, client.requests.length]).toEqual(['OFFLINE', 1]);
  });

  test('the attempts are bounded where the network comes and goes', async () => {
    const client = createScriptedClient(() => [offline]);
    const online = (callback: () => void) => (queueMicrotask(callback), () => {});
    const { error } = await hear(withRetry(client, { online, retries: 2, delay: () => () => {} }));
    expect([error?.code, client.requests.length]).toEqual(['OFFLINE', 3]);
  });
});

describe('a session', () => {
  test('shows the retry of its request, and Stop ends the wait at once', async () => {
    const service = createService(() => failing(503));
    const agent = createAgent({ client: chat({ fetch: service.fetch, delay: () => () => {} }) });
    const session = await agent.openSession(agent.createSession());
    const seen: (number | undefined)[] = [];
    session.retrying$.subscribe((retry) => seen.push(retry?.attempt));
    const sent = session.send('Hi');
    await expect.poll(session.getRetrying).toMatchObject({ attempt: 2, attempts: 3, error: { status: 503 } });
    session.cancel();
    expect(session.getRetrying()).toBeUndefined();
    expect(await sent).toMatchObject({ outcome: 'cancelled' });
    expect([service.requests, seen]).toEqual([1, [undefined, 2, undefined]]);
  });

  test('shows no retry of another session, and completes when it is closed', async () => {
    const busy = withRetry(
      createScriptedClient(() => [reply.fail('OVERLOADED')]),
      { delay: () => () => {} },
    );
    const agent = createAgent({ client: busy });
    const [one, other] = await Promise.all(
      [agent.createSession(), agent.createSession()].map((id) => agent.openSession(id)),
    );
    let isComplete = false;
    other?.retrying$.subscribe({ complete: () => (isComplete = true) });
    void one?.send('Hi');
    await expect.poll(() => one?.getRetrying()?.attempt).toBe(2);
    expect(other?.getRetrying()).toBeUndefined();
    await other?.close();
    expect(isComplete).toBe(true);
    one?.cancel();
  });
});

test('a page in the place of an answer is no reason to compact, and asks the fallback', async () => {
  const page400 = () => failing(400, { 'content-type': 'text/html' }, '<html><title>400 Bad Request</title></html>');
  const service = createService(hello, hello, hello, page400);
  const agent = createAgent({ client: chat({ fetch: service.fetch }), contextWindow: 128_000 });
  const session = await agent.openSession(agent.createSession());
  for (let turn = 0; turn < 3; turn += 1) await session.send('word '.repeat(300));
  expect(await session.send('Hi')).toMatchObject({ outcome: 'failed', error: { code: 'INVALID_REQUEST' } });
  expect([service.requests, session.getState().context]).toEqual([4, []]);

  const other = createScriptedClient([reply.text('From the other.')]);
  const broken = createService(page400);
  expect((await hear(withFallback([chat({ fetch: broken.fetch }), other]))).text).toBe('From the other.');
});
