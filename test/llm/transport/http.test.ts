import type { ServerResponse } from 'node:http';
import OpenAI from 'openai';
import { firstValueFrom, lastValueFrom, type Observable, tap, toArray } from 'rxjs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createChatCompletionsClient } from '../../../src/llm/wires/chat-completions/client.ts';
import type { ChatCompletionsOptions } from '../../../src/llm/wires/chat-completions/wire.ts';
import type { LLMChunk, LLMRequest } from '../../../src/core/model/llm.ts';
import { AgentError } from '../../../src/core/error.ts';
import { createGate } from '../../support/gate.ts';
import { call, delta, frame } from '../../support/llm-answer.ts';
import { createOpenAIClient } from '../../../src/llm/wires/openai-sdk/index.ts';
import { type Received, startServer, stream, type TestServer } from '../../support/llm-server.ts';

const key = 'sk-canary-0123456789';
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(answer: (response: ServerResponse, request: Received) => void): Promise<TestServer> {
  const server = await startServer(answer);
  servers.push(server);
  return server;
}

const request: LLMRequest = {
  sessionId: 's',
  messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 }],
};

function ask(server: TestServer, options: Partial<ChatCompletionsOptions> = {}): Observable<LLMChunk> {
  const once = { baseURL: server.url, apiKey: key, model: 'm', maxRetries: 0 };
  return createChatCompletionsClient({ ...once, ...options }).sendRequest(request);
}

type Ask = (server: TestServer, options?: Partial<ChatCompletionsOptions>) => Observable<LLMChunk>;

/** The same through the official SDK. */
const askSdk: Ask = (server, { fetch, ...options } = {}) => {
  const sdk = new OpenAI({ baseURL: server.url, apiKey: key, dangerouslyAllowBrowser: true, ...(fetch && { fetch }) });
  return createOpenAIClient(sdk, { model: 'm', maxRetries: 0, ...options }).sendRequest(request);
};

const ways: [string, Ask][] = [
  ['fetch', ask],
  ['the OpenAI SDK', askSdk],
];

/** The chunks of an answer, and how it ended. */
function outcome(answer: Observable<LLMChunk>): Promise<{ text: string; error?: AgentError; finished?: boolean }> {
  return new Promise((resolve) => {
    let text = '';
    let finished = false;
    answer.subscribe({
      next: (chunk) => {
        if (chunk.type === 'text') text += chunk.text;
        if (chunk.type === 'finish') finished = true;
      },
      error: (error: AgentError) => resolve({ text, error }),
      complete: () => resolve({ text, finished }),
    });
  });
}

const hello = frame([delta({ content: 'Hello' }), delta({}, 'stop')]);
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Answers with these events; the events of each list arrive in one read. */
function readBy(reads: readonly (readonly object[])[]): typeof fetch {
  const bytes = reads.map((events) => new TextEncoder().encode(frame(events, { done: false })));
  return async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = bytes.shift();
          if (next) controller.enqueue(next);
          else controller.close();
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
}

describe('a request', () => {
  test('is one POST with exactly these headers', async () => {
    const server = await serve((response) => (stream(response, hello), response.end()));
    await lastValueFrom(ask(server, { headers: { 'x-own': '1' } }));
    const [{ method, path, headers, body } = {} as Received] = server.requests;
    expect([method, path]).toEqual(['POST', '/v1/chat/completions']);
    expect(headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-own': '1',
    });
    const transports = [
      'host',
      'connection',
      'content-length',
      'user-agent',
      'accept-language',
      'accept-encoding',
      'sec-fetch-mode',
      'transfer-encoding',
    ];
    expect(
      Object.keys(headers)
        .filter((name) => !transports.includes(name))
        .sort(),
    ).toEqual(['accept', 'authorization', 'content-type', 'x-own']);
    expect(JSON.parse(body)).toMatchObject({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] });
  });

  test('is cold: none before a subscription, one for each', async () => {
    const server = await serve((response) => (stream(response, hello), response.end()));
    const answer = ask(server);
    expect(server.requests).toHaveLength(0);
    await Promise.all([lastValueFrom(answer), lastValueFrom(answer)]);
    expect(server.requests).toHaveLength(2);
  });

  test('calls the key function each time, with the origin of the request', async () => {
    const server = await serve((response) => (stream(response, hello), response.end()));
    const keys = ['one', ' "Bearer two"\n'];
    const origins: string[] = [];
    const answer = ask(server, { apiKey: async (origin) => (origins.push(origin), keys.shift() ?? '') });
    await lastValueFrom(answer);
    await lastValueFrom(answer);
    await lastValueFrom(answer);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer one',
      'Bearer two',
      undefined,
    ]);
    expect(new Set(origins)).toEqual(new Set([new URL(server.url).origin]));
  });

  test('is not sent when the key function rejects', async () => {
    const server = await serve((response) => response.end());
    const { error } = await outcome(ask(server, { apiKey: () => Promise.reject(new Error(`locked: ${key}`)) }));
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(error?.message).toContain('Unlock');
    expect(error?.message).not.toContain(key);
    const locked = new AgentError('The vault is locked.', { code: 'AUTHENTICATION_FAILED' });
    expect((await outcome(ask(server, { apiKey: () => Promise.reject(locked) }))).error).toBe(locked);
    expect(server.requests).toHaveLength(0);
  });

  test('is not sent when it is unsubscribed while the key function runs', async () => {
    const server = await serve((response) => response.end());
    const fetch = vi.fn<typeof globalThis.fetch>();
    let give = (_key: string): void => {};
    ask(server, { fetch, apiKey: () => new Promise((resolve) => (give = resolve)) })
      .subscribe()
      .unsubscribe();
    give(key);
    for (let n = 0; n < 5; n += 1) await Promise.resolve();
    expect(fetch).not.toHaveBeenCalled();
  });

  test('is rejected with an invalid key or header, and the error does not quote either', async () => {
    const server = await serve((response) => response.end());
    for (const options of [{ apiKey: 'sk-ü' }, { headers: { 'x-own': `${key}\n\u0000` } }]) {
      const { error } = await outcome(ask(server, options));
      expect(error).toMatchObject({ code: 'INVALID_CONFIG' });
      expect(JSON.stringify([error, error?.message, error?.cause])).not.toMatch(/sk-/);
    }
  });

  test('needs a valid base URL: creating the client throws without one', () => {
    expect(() => createChatCompletionsClient({ baseURL: 'ftp://x' })).toThrow(AgentError);
  });

  test('has the same body through the OpenAI SDK', async () => {
    const server = await serve((response) => (stream(response, hello), response.end()));
    await Promise.all([lastValueFrom(ask(server)), lastValueFrom(askSdk(server))]);
    const [ours, theirs] = server.requests.map(({ body }) => JSON.parse(body) as unknown);
    expect(theirs).toEqual(ours);
  });

  test('reads at most 64 KB of an endless error reply', async () => {
    const server = await serve((response) => {
      response.writeHead(500);
      response.write(`{"error":{"message":"oops ${'x'.repeat(100_000)}`);
    });
    expect((await outcome(ask(server))).error).toMatchObject({ code: 'LLM_API_ERROR', status: 500 });
    await server.closedEarly;
  });

  test('does not follow a redirect', async () => {
    const other = await serve((response) => (stream(response, hello), response.end()));
    const server = await serve(
      (response) => (response.writeHead(307, { location: `${other.url}/chat/completions` }), response.end()),
    );
    expect((await outcome(ask(server))).error).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(other.requests).toHaveLength(0);
  });
});

describe.each(ways)('an answer through %s', (_, ask) => {
  test('is emitted as it is sent, and completes after `finish`', async () => {
    const server = await serve((response) => (stream(response, hello), response.end()));
    expect(await lastValueFrom(ask(server).pipe(toArray()))).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'finish', reason: 'stop', raw: 'stop' },
    ]);
  });

  test('is one chunk for each network read', async () => {
    const reads = [[delta({ content: 'Hel' }), delta({ content: 'lo' })], [delta({ content: ' you' }, 'stop')]];
    const server = await serve(() => {});
    expect(await lastValueFrom(ask(server, { fetch: readBy(reads) }).pipe(toArray()))).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' you' },
      { type: 'finish', reason: 'stop', raw: 'stop' },
    ]);
  });

  test('keeps the text of a read that also contains a failure', async () => {
    const reads = [[delta({ content: 'Hel' }), delta({ content: 'lo' }), { error: { message: 'overloaded' } }]];
    const server = await serve(() => {});
    const { text, error } = await outcome(ask(server, { fetch: readBy(reads) }));
    expect(text).toBe('Hello');
    expect(error).toBeInstanceOf(AgentError);
  });

  test.each([
    ['an event', { event: 50 }],
    ['a stream', { stream: 50 }],
    ['a number of calls', { calls: 1 }],
    ['a call', { call: 5 }],
  ])('errors beyond the limits of the caller: %s', async (_limit, limits) => {
    const fn = (index: number, input: string): object =>
      call({ index, id: `c${index}`, function: { name: 'f', arguments: input } });
    const said = frame([fn(0, '{"a":1}'), fn(1, '{"a":1}'), delta({}, 'tool_calls')]);
    const server = await serve((response) => (stream(response, said), response.end()));
    expect((await outcome(ask(server, { limits }))).error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    expect((await outcome(ask(server, { limits: { calls: 2, call: 8 } }))).finished).toBe(true);
  });

  test('completes at [DONE], though the connection stays open', async () => {
    const server = await serve((response) => stream(response, hello));
    expect(await outcome(ask(server))).toEqual({ text: 'Hello', finished: true });
    await server.closedEarly;
  });

  test('may be one whole JSON document', async () => {
    const server = await serve(json(200, { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }));
    expect(await outcome(ask(server))).toEqual({ text: 'Hello', finished: true });
  });

  test('closes the socket on unsubscribing, and emits nothing afterwards', async () => {
    let more = (): void => {};
    const server = await serve((response) => {
      stream(response, frame([delta({ content: 'Hello' })], { done: false }));
      more = () => response.write(hello);
    });
    await firstValueFrom(ask(server));
    more();
    await server.closedEarly;
    expect(server.requests).toHaveLength(1);
  });

  test('closes the socket on unsubscribing before the answer', async () => {
    let arrived = (): void => {};
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    const server = await serve(() => arrived());
    const subscription = ask(server).subscribe();
    await asked;
    subscription.unsubscribe();
    await server.closedEarly;
  });

  test('cancels the body of a custom fetch that ignores the signal', async () => {
    const server = await serve((response) => response.end());
    const cancelled = await new Promise((resolve) => {
      const body = new ReadableStream({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(frame([delta({ content: 'Hello' })], { done: false }))),
        cancel: () => resolve(true),
      });
      void firstValueFrom(ask(server, { fetch: () => Promise.resolve(new Response(body)) }));
    });
    expect(cancelled).toBe(true);
  });
});

describe.each(ways)('a failure through %s', (_way, ask) => {
  test.each<[string, (response: ServerResponse) => void, object, RegExp]>([
    [
      '401',
      json(401, { error: { message: `Incorrect API key provided: ${key}` } }),
      { code: 'AUTHENTICATION_FAILED', status: 401, retryable: false },
      /^401 from 127\.0\.0\.1:\d+: the key was refused\./,
    ],
    ['403', json(403, {}), { code: 'PERMISSION_DENIED', status: 403 }, /may not/],
    [
      '404',
      (response) => (response.writeHead(404), response.end('<html>')),
      { code: 'INVALID_REQUEST', status: 404 },
      /Check the base URL/,
    ],
    [
      '404 of a model',
      json(404, { error: { message: 'The model `m` does not exist' } }),
      { code: 'MODEL_NOT_FOUND' },
      /model/,
    ],
    [
      '400',
      json(400, { error: { message: 'Bad value', param: 'temperature' } }),
      { code: 'INVALID_REQUEST' },
      /because of "temperature"/,
    ],
    [
      '429',
      json(429, { error: { message: 'Rate limit reached' } }, { 'retry-after': '7' }),
      { code: 'RATE_LIMIT_EXCEEDED', retryable: true, retryAfter: 7_000 },
      /Try again/,
    ],
    [
      '500',
      (response) => (response.writeHead(500), response.end()),
      { code: 'LLM_API_ERROR', retryable: true, status: 500 },
      /failed/,
    ],
    ['529', json(529, { error: { type: 'overloaded_error' } }), { code: 'OVERLOADED', retryable: true }, /overloaded/],
    [
      'a web page',
      (response) => (response.writeHead(200, { 'content-type': 'text/html' }), response.end('<html>')),
      { code: 'STREAM_MALFORMED' },
      /web page/,
    ],
    [
      'nothing at all',
      (response) => (response.writeHead(200), response.end()),
      { code: 'STREAM_INTERRUPTED', retryable: true },
      /closed/,
    ],
  ])('%s', async (_, answer, expected, message) => {
    const server = await serve(answer);
    const { error } = await outcome(ask(server));
    expect(error).toMatchObject(expected);
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain(key);
  });

  test('keeps the chunks of a connection that is cut in the middle, and errors with STREAM_INTERRUPTED', async () => {
    const heard = createGate();
    const server = await serve((response) => {
      stream(response, frame([delta({ content: 'Hel' })], { done: false }));
      void heard.opened.then(() => response.destroy());
    });
    expect(await outcome(ask(server).pipe(tap(heard.open)))).toMatchObject({
      text: 'Hel',
      error: { code: 'STREAM_INTERRUPTED', retryable: false },
    });
  });

  test('completes where the connection is cut after the finish reason', async () => {
    const heard = createGate();
    const server = await serve((response) => {
      stream(response, frame([delta({ content: 'Hello' }, 'stop')], { done: false }));
      void heard.opened.then(() => response.destroy());
    });
    expect(await outcome(ask(server).pipe(tap(heard.open)))).toEqual({ text: 'Hello', finished: true });
  });

  test('is a NETWORK_ERROR that names other causes where nothing listens', async () => {
    const server = await serve(() => {});
    await server.stop();
    const { error } = await outcome(ask(server));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
    expect(error?.message).toMatch(/network.*CORS/);
  });

  test.each(['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'])(
    'a browser saying "%s" is a network error',
    async (message) => {
      const server = await serve(() => {});
      const fetch = (): Promise<Response> => Promise.reject(new TypeError(message));
      expect((await outcome(ask(server, { fetch }))).error).toMatchObject({ code: 'NETWORK_ERROR' });
    },
  );

  test('is OFFLINE where the browser is offline', async () => {
    const server = await serve(() => {});
    vi.stubGlobal('navigator', { onLine: false });
    const { error } = await outcome(ask(server, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) }));
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ code: 'OFFLINE' });
  });

  test('is a NETWORK_ERROR where fetch throws synchronously', async () => {
    const server = await serve(() => {});
    const fetch = (): Promise<Response> => {
      throw new TypeError('no');
    };
    expect((await outcome(ask(server, { fetch }))).error).toMatchObject({ code: 'NETWORK_ERROR' });
  });
});

describe.each(ways)('timeouts through %s', (_, ask) => {
  /** Timers that the test fires. */
  function createTimers(): {
    delay: (callback: () => void, ms: number) => () => void;
    tick: (times?: number) => void;
    pending: () => number;
  } {
    const waiting = new Set<() => void>();
    return {
      delay: (callback) => {
        const fire = (): void => (waiting.delete(fire), callback());
        waiting.add(fire);
        return () => void waiting.delete(fire);
      },
      tick(times = 1) {
        for (let n = 0; n < times; n += 1) for (const fire of Array.from(waiting)) fire();
      },
      pending: () => waiting.size,
    };
  }

  const slow = (text: string): { fetch: typeof fetch; say: (text: string) => void } => {
    let say = (_text: string): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        say = (more) => controller.enqueue(new TextEncoder().encode(more));
        if (text) say(text);
      },
    });
    return { fetch: () => Promise.resolve(new Response(body)), say: (more) => say(more) };
  };

  /** All that follows from settled promises has happened. */
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  beforeAll(() => import('../../../src/llm/wires/chat-completions/wire.ts'));

  test('error where there is no answer at all', async () => {
    const server = await serve(() => {});
    const timers = createTimers();
    const ending = outcome(ask(server, { fetch: () => new Promise(() => {}), delay: timers.delay }));
    await settle();
    timers.tick(60);
    expect((await ending).error).toMatchObject({ code: 'REQUEST_TIMEOUT', retryable: true });
    expect(timers.pending()).toBe(0);
  });

  test('close the connection to a real server that does not answer', async () => {
    const server = await serve(() => {});
    expect((await outcome(ask(server, { timeouts: { first: 20 } }))).error).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await server.closedEarly;
  });

  test('error after silence in the middle', async () => {
    const server = await serve(() => {});
    const timers = createTimers();
    const { fetch, say } = slow(frame([delta({ content: 'a' })], { done: false }));
    const ending = outcome(ask(server, { fetch, delay: timers.delay }));
    await settle();
    timers.tick(3);
    say(frame([delta({ content: 'b' })], { done: false }));
    await settle();
    timers.tick(4);
    say(': keep-alive\n\n');
    await settle();
    timers.tick(5);
    const { text, error } = await ending;
    expect(text).toBe('ab');
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', retryable: false });
    expect(error?.message).toContain('timeouts.idle');
  });

  test('error with `stall` after keep-alives without content', async () => {
    const server = await serve(() => {});
    const timers = createTimers();
    const { fetch, say } = slow('');
    const ending = outcome(ask(server, { fetch, delay: timers.delay }));
    for (let n = 0; n <= 40; n += 1) {
      await settle();
      say(': keep-alive\n\n');
      await settle();
      timers.tick();
    }
    expect((await ending).error?.message).toContain('timeouts.stall');
  });

  test('complete a complete answer whose connection stays open', async () => {
    const server = await serve(() => {});
    const timers = createTimers();
    const { fetch } = slow(frame([delta({ content: 'a' }, 'stop')], { done: false }));
    const ending = outcome(ask(server, { fetch, delay: timers.delay }));
    await settle();
    timers.tick(5);
    expect(await ending).toEqual({ text: 'a', finished: true });
  });

  test('error for a malformed answer all the same', async () => {
    const server = await serve(() => {});
    const timers = createTimers();
    const nameless = call({ index: 0, id: 'a', function: { arguments: '{}' } });
    const { fetch } = slow(frame([nameless, delta({}, 'tool_calls')], { done: false }));
    const ending = outcome(ask(server, { fetch, delay: timers.delay }));
    await settle();
    // No chunk has arrived, so the timeout of the first content applies.
    timers.tick(30);
    expect((await ending).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });

  test('leave no timer after the end of an answer', async () => {
    const server = await serve((response) => (stream(response, hello), response.end()));
    const timers = createTimers();
    await outcome(ask(server, { delay: timers.delay }));
    expect(timers.pending()).toBe(0);
  });
});
