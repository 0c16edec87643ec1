import type { ServerResponse } from 'node:http';
import { AgentError } from 'brooklet';
import { anthropic, listModels, type ListModelsOptions, ollama, openai, type Provider } from 'brooklet/providers';
import { afterEach, describe, expect, it } from 'vitest';
import { createGate } from '../support/gate.ts';
import { type Received, startServer, type TestServer } from '../support/llm-server.ts';

const apiKey = 'sk-canary-0123456789';
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(answer: (response: ServerResponse, request: Received) => void): Promise<TestServer> {
  const server = await startServer(answer);
  servers.push(server);
  return server;
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

async function list(body: unknown, provider: Provider = { ...openai, models: {} }) {
  const { url } = await serve(json(body));
  return listModels(provider, { baseURL: url, apiKey });
}

function failure(url: string, options: ListModelsOptions = {}, provider: Provider = openai): Promise<AgentError> {
  return listModels(provider, { baseURL: url, apiKey, ...options }).then(
    () => {
      throw new Error('it listed models');
    },
    (error: unknown) => {
      if (error instanceof AgentError) return error;
      throw error;
    },
  );
}

describe('a list of models', () => {
  it('is requested with the key, and without further headers', async () => {
    const server = await serve(json({ data: [] }));
    await listModels(openai, { baseURL: server.url, apiKey });
    await listModels(anthropic, { baseURL: server.url, apiKey: () => Promise.resolve(apiKey) });
    const [one, two] = server.requests;
    expect(one).toMatchObject({ method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${apiKey}` } });
    expect(one?.headers).not.toHaveProperty('content-type');
    expect(one?.headers.accept).toBe('application/json');
    expect(two).toMatchObject({
      path: '/v1/models?limit=1000',
      headers: { 'x-api-key': apiKey, 'anthropic-dangerous-direct-browser-access': 'true' },
    });
    expect(two?.headers).not.toHaveProperty('authorization');
  });

  it.each<[string, unknown, unknown]>([
    ['OpenAI', { object: 'list', data: [{ id: 'm', object: 'model', created: 1, owned_by: 'x' }] }, { id: 'm' }],
    [
      'Anthropic',
      { data: [{ type: 'model', id: 'm', display_name: 'M 1', max_input_tokens: 9, max_tokens: 3 }] },
      { id: 'm', name: 'M 1', contextWindow: 9, maxOutput: 3 },
    ],
    [
      'OpenRouter',
      {
        data: [
          {
            id: 'a/m',
            name: 'A: M',
            context_length: 9,
            top_provider: { max_completion_tokens: 3 },
            pricing: { prompt: '0.00000125', completion: '0.00001', input_cache_read: '0.000000125' },
          },
        ],
      },
      { id: 'a/m', name: 'A: M', contextWindow: 9, maxOutput: 3, price: { input: 1.25, output: 10, cached: 0.125 } },
    ],
    ['OpenRouter, a variable price', { data: [{ id: 'm', pricing: { prompt: '-1', completion: '-1' } }] }, { id: 'm' }],
    [
      'Together',
      [{ id: 'm', type: 'chat', display_name: 'M', context_length: 9, pricing: { input: 0.6, output: 1.7 } }],
      { id: 'm', name: 'M', contextWindow: 9, price: { input: 0.6, output: 1.7 } },
    ],
    [
      'Groq',
      { data: [{ id: 'm', context_window: 9, max_completion_tokens: 3 }] },
      { id: 'm', contextWindow: 9, maxOutput: 3 },
    ],
    [
      'Mistral',
      { data: [{ id: 'm', name: 'm', max_context_length: 9, capabilities: { completion_chat: true } }] },
      { id: 'm', contextWindow: 9 },
    ],
    ['Google', { data: [{ id: 'models/gemini', object: 'model' }] }, { id: 'gemini' }],
    ['vLLM', { data: [{ id: 'm', max_model_len: 9 }] }, { id: 'm', contextWindow: 9 }],
    [
      'llama.cpp',
      { models: [{ name: 'm' }], data: [{ id: 'm', meta: { n_ctx_train: 9 } }] },
      { id: 'm', contextWindow: 9 },
    ],
  ])('of %s is read', async (_, body, model) => {
    expect(await list(body)).toEqual([model]);
  });

  it('leaves out models without conversations, where it contains types, and entries without an id', async () => {
    const data = [
      { id: 'embed', type: 'embedding' },
      { id: 'ocr', capabilities: { completion_chat: false } },
      { id: 7 },
      null,
      'text',
      { id: 'm' },
      { id: 'm' },
    ];
    expect(await list({ data })).toEqual([{ id: 'm' }]);
  });

  it.each<[unknown]>([[null], [{}], ['text'], [{ data: 'x' }], [{ data: { id: 'm' } }]])(
    'of %j is empty',
    async (body) => {
      expect(await list(body)).toEqual([]);
    },
  );

  it('adds facts from the table that the list lacks', async () => {
    const known = { ...openai, models: { m: { contextWindow: 5, price: { input: 1, output: 2 } } } };
    expect(await list({ data: [{ id: 'm-latest', context_length: 9 }, { id: 'n' }] }, known)).toEqual([
      { id: 'm-latest', contextWindow: 9, price: { input: 1, output: 2 } },
      { id: 'n' },
    ]);
  });

  it('of 1,000 models with hostile ids is read', async () => {
    const data = Array.from({ length: 1_000 }, (_, n) => ({
      id: n % 2 ? `__proto__${n}` : 'constructor',
      pricing: [],
    }));
    expect(await list({ data }, openai)).toHaveLength(501);
  });
});

describe('a list of models that fails', () => {
  it('rejects with the error of a request', async () => {
    const refused = await serve(json({ error: { message: `Bad key ${apiKey}` } }, 401));
    const error = await failure(refused.url);
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', status: 401 });
    expect(error.message).toContain('Keys are made at https://platform.openai.com/api-keys');
    expect(error.message).not.toContain('canary');
    const busy = await serve(json({}, 429, { 'retry-after': '2' }));
    expect(await failure(busy.url)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 2_000 });
  });

  it('rejects with STREAM_MALFORMED where it is not JSON', async () => {
    const { url } = await serve((response) => response.end('<html>'));
    expect(await failure(url)).toMatchObject({ code: 'STREAM_MALFORMED' });
  });

  it('names the provider’s remedy where there is no answer', async () => {
    const server = await serve(() => {});
    await server.stop();
    expect((await failure(server.url, {}, ollama)).message).toContain('OLLAMA_ORIGINS');
  });

  it('exposes no key, not even one that a custom fetch throws', async () => {
    const { cause, ...error } = await failure('https://api.test/v1', {
      apiKey: 'canary0f1e2d3c4b5a6978',
      fetch: (_, init) => Promise.reject(new TypeError(`no: ${new Headers(init?.headers).get('authorization')}`)),
    });
    expect(error).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(String(cause)).toContain('no: ');
    expect(JSON.stringify([error, cause])).not.toContain('canary0f1e');
  });

  it('follows no redirect', async () => {
    const other = await serve(json({ data: [] }));
    const { url } = await serve(
      (response) => (response.writeHead(307, { location: `${other.url}/models` }), response.end()),
    );
    expect(await failure(url)).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(other.requests).toHaveLength(0);
  });

  it('is aborted down to the socket', async () => {
    const arrived = createGate();
    const server = await serve(() => arrived.open());
    const controller = new AbortController();
    const failing = failure(server.url, { signal: controller.signal });
    await arrived.opened;
    controller.abort();
    expect(await failing).toMatchObject({ code: 'ABORTED', retryable: false });
    await server.closedEarly;
  });

  it('is not requested where it was aborted before', async () => {
    const server = await serve(json({ data: [] }));
    expect(await failure(server.url, { signal: AbortSignal.abort() })).toMatchObject({ code: 'ABORTED' });
    expect(server.requests).toHaveLength(0);
  });

  it('times out by the given timer', async () => {
    const arrived = createGate();
    const server = await serve(() => arrived.open());
    let ring = (): void => {};
    const delay = (callback: () => void): (() => void) => {
      ring = callback;
      return () => {};
    };
    const failing = failure(server.url, { delay });
    await arrived.opened;
    ring();
    expect(await failing).toMatchObject({ code: 'REQUEST_TIMEOUT', retryable: true });
    await server.closedEarly;
  });

  it('is abandoned at 8 MB', async () => {
    const server = await serve((response) => {
      response.writeHead(200);
      const piece = 'x'.repeat(1024 * 1024);
      const more = (): void => void response.write(piece, (error) => error ?? more());
      more();
    });
    expect(await failure(server.url)).toMatchObject({ code: 'STREAM_TOO_LARGE' });
    await server.closedEarly;
  });
});
