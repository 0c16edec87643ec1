import { inspect } from 'node:util';
import {
  createAgent,
  createChatCompletionsClient,
  createResponsesClient,
  type LLMClient,
  type LLMRequest,
} from 'brooklet';
import { withConcurrency, withFallback, withRetry, withThinkTags, withTimeout } from 'brooklet/llm';
import { createAnthropicClient } from 'brooklet/anthropic';
import { createOpenAIClient } from 'brooklet/openai';
import { createProviderClient, ollama } from 'brooklet/providers';
import { createMemoryStore, exportSession } from 'brooklet/storage';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AgentError } from '../../../src/core/error.ts';

// A key that does not look like one, so that only its registration as a secret can redact it.
const key = 'canary0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const half = key.slice(0, 16);

type Fetch = typeof globalThis.fetch;
type Way = (fetch: Fetch, apiKey?: () => string | Promise<string>) => LLMClient;

const base = 'https://api.test/v1';
const wires: readonly [string, Way][] = [
  ['chat', (fetch, apiKey = () => key) => createChatCompletionsClient({ baseURL: base, apiKey, fetch, ...patience })],
  ['responses', (fetch, apiKey = () => key) => createResponsesClient({ baseURL: base, apiKey, fetch, ...patience })],
  ['anthropic', (fetch, apiKey = () => key) => createAnthropicClient({ baseURL: base, apiKey, fetch, ...patience })],
  [
    'a header of the caller',
    (fetch) => createChatCompletionsClient({ baseURL: base, headers: { 'x-session': key }, fetch, ...patience }),
  ],
  [
    'a provider',
    (fetch, apiKey = () => key) => createProviderClient(ollama, { baseURL: base, apiKey, fetch, ...patience }),
  ],
  [
    'the OpenAI SDK',
    (fetch, apiKey) =>
      createOpenAIClient(
        new OpenAI({
          baseURL: base,
          apiKey: apiKey ? async () => apiKey() : key,
          fetch,
          dangerouslyAllowBrowser: true,
        }),
        patience,
      ),
  ],
];

/** No delay: the first timeout fires as soon as other tasks have run. */
const patience = { delay: (callback: () => void) => (setImmediate(callback), () => {}) };

const operators: readonly [string, (client: LLMClient, onRetry: (retry: unknown) => void) => LLMClient][] = [
  ['plain', (client) => client],
  ['withRetry', (client, onRetry) => withRetry(client, { retries: 1, firstDelay: 0, onRetry })],
  ['withTimeout', (client) => withTimeout(client, 60_000)],
  ['withThinkTags', (client) => withThinkTags(client)],
  ['withFallback', (client) => withFallback([client, client])],
  ['withConcurrency', (client) => withConcurrency(client, 1)],
];

const respond =
  (status: number, body: string, type = 'application/json'): Fetch =>
  () =>
    Promise.resolve(new Response(body, { status, headers: { 'content-type': type, 'x-echo': key } }));
const says = (body: unknown, status = 400): Fetch => respond(status, JSON.stringify(body));
const streams = (...lines: string[]): Fetch => respond(200, lines.join('\n') + '\n\n', 'text/event-stream');
const broken = (error: unknown): ReadableStream => new ReadableStream({ start: (it) => it.error(error) });
const breaks =
  (error: unknown): Fetch =>
  async () =>
    new Response(broken(error));
const throwing =
  (error: Error): Fetch =>
  async () => {
    throw error;
  };
const nested = new Error(`outer ${key}`, { cause: new Error(`inner ${key}`, { cause: { headers: { a: key } } }) });

/** Every way in which an answer fails, each with the key wherever a service, a proxy or a custom fetch could put it. */
const failures: readonly [string, Fetch][] = [
  ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529].map((status): [string, Fetch] => [
    `${status}`,
    says({ error: { message: `Bearer ${key} is bad`, param: key, type: key, code: key } }, status),
  ]),
  ['an error as text', says({ error: `no ${key}` })],
  ['a list of errors', says([{ error: { code: 400, message: key } }])],
  ['a detail', says({ detail: [{ loc: ['header', key], msg: key }] }, 422)],
  ['an error behind an error', says({ error: { message: 'Provider', metadata: { raw: `{"key":"${key}"}` } } })],
  ['a broken generation', says({ error: { message: 'x', code: 'tool_use_failed', failed_generation: key } })],
  ['bare text', respond(500, key)],
  ['the key at the edge of a quote', says({ error: { message: 'x'.repeat(290) + key } })],
  ['a web page', respond(200, `<html>${key}`, 'text/html')],
  ['a web page as error reply', respond(403, `<html>${key}`, 'text/html')],
  ['an error in the stream', streams(`data: ${JSON.stringify({ error: { message: key } })}`)],
  ['an event named error', streams('event: error', `data: ${key}`)],
  ['a typed error in the stream', streams(`data: ${JSON.stringify({ type: 'error', error: { message: key } })}`)],
  [
    'a failed response',
    streams(`data: ${JSON.stringify({ response: { status: 'failed', error: { code: key, message: key } } })}`),
  ],
  ['an error as finish', streams(`data: ${JSON.stringify({ choices: [{ finish_reason: `error ${key}` }] })}`)],
  ['an event that is not JSON', streams(`data: {${key}`, '', `data: {${key}`)],
  ['a cut stream', streams(`data: {"choices":[{"delta":{"content":"He"}}]}`)],
  ['nothing', streams('')],
  ['a stream that breaks', breaks(nested)],
  ['a stream that breaks with no error', breaks(key)],
  ['a fetch that throws', throwing(nested)],
  ['a fetch that throws a TypeError', throwing(new TypeError(`Failed to fetch ${key}`))],
  ['a fetch that throws an AgentError', throwing(new AgentError(key, { code: 'UNKNOWN', cause: nested }))],
  ['a fetch that never answers', () => new Promise(() => {})],
];

const request: LLMRequest = {
  sessionId: 's',
  model: 'm',
  messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 }],
};

/** Everything that a failed answer exposes. */
function watch(client: LLMClient, before: readonly unknown[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const seen: unknown[] = [];
    client.sendRequest(request).subscribe({
      next: (chunk) => seen.push(chunk),
      error: (error: Error) => {
        expect(error).toBeInstanceOf(AgentError);
        const all = [error.message, String(error), error.stack, error.cause, error, ...seen, ...before];
        resolve(all.map((one) => `${JSON.stringify(one)} ${inspect(one, { depth: 20, showHidden: true })}`).join('\n'));
      },
      complete: () => reject(new Error('It should have failed.')),
    });
  });
}

const logged: unknown[] = [];
beforeEach(() => {
  logged.length = 0;
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void logged.push(words));
});
afterEach(() => {
  vi.restoreAllMocks();
  if (inspect(logged, { depth: 20 }).includes(half)) throw new Error('The key was logged.');
});

describe.each(wires)('a key of %s', (_wire, create) => {
  describe.each(operators)('%s', (_operator, wrap) => {
    test.each(failures)('appears nowhere after %s', async (_failure, fetch) => {
      const seen: unknown[] = [];
      expect(
        await watch(
          wrap(create(fetch), (retry) => seen.push(retry)),
          seen,
        ),
      ).not.toContain(half);
    });
  });

  test.each(failures)('appears in no event, no message and no export after %s', async (_failure, fetch) => {
    const store = createMemoryStore();
    const agent = createAgent({ client: create(fetch), model: 'm', store });
    const session = agent.getSession(agent.createSession());
    if (session === undefined) throw new Error('no session');
    const events: unknown[] = [];
    session.events$.subscribe((event) => events.push(event));
    const result = await session.send('hi');
    expect(['failed', 'interrupted']).toContain(result.outcome);
    await session.flushed();
    const stored = await store.read(session.id);
    expect(inspect([result, events, session.getState(), stored], { depth: 30, showHidden: true })).not.toContain(half);
    if (stored === undefined) throw new Error('nothing stored');
    expect(exportSession(stored)).not.toContain(half);
  });
});

describe('a key function', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['rejects', () => Promise.reject(nested)],
    [
      'throws',
      () => {
        throw nested;
      },
    ],
    ['throws a value that is no Error', () => Promise.reject(key)],
    ['returns an invalid key', () => `${key}\u00fc`],
    ['returns two keys', () => `${key}\n${key}`],
  ])('that %s exposes nothing', async (_, apiKey) => {
    for (const [, create] of wires.slice(0, 3)) {
      const all = await watch(create(says({}), apiKey));
      expect(all).not.toContain(half);
      expect(all).toMatch(/AUTHENTICATION_FAILED|INVALID_CONFIG/);
    }
  });

  test('is called with the origin of the request, and no other origin receives the key', async () => {
    const asked: string[] = [];
    const sent: [string, string | null][] = [];
    const vault = (origin: string): Promise<string> => {
      asked.push(origin);
      return origin === 'https://one.test'
        ? Promise.resolve(key)
        : Promise.reject(new AgentError('There is no key for it.', { code: 'AUTHENTICATION_FAILED' }));
    };
    const fetch: Fetch = (input, init) => {
      sent.push([new Request(input).url, new Headers(init?.headers).get('authorization')]);
      return Promise.resolve(new Response('{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'));
    };
    const client = (baseURL: string): LLMClient => createChatCompletionsClient({ baseURL, apiKey: vault, fetch });
    await new Promise<void>((resolve) => {
      client('https://one.test/v1').sendRequest(request).subscribe({ complete: resolve });
    });
    expect(await watch(client('https://two.test/v1'))).toContain('AUTHENTICATION_FAILED');
    expect(asked).toEqual(['https://one.test', 'https://two.test']);
    expect(sent).toEqual([['https://one.test/v1/chat/completions', `Bearer ${key}`]]);
  });
});

test('the error of an invalid header does not contain its value', async () => {
  const headers = { 'x-own': `${key}\n\u0000` };
  const all = await watch(createChatCompletionsClient({ baseURL: base, headers, fetch: says({}) }));
  expect(all).toContain('INVALID_CONFIG');
  expect(all).not.toContain(half);
});
