import { createChatCompletionsClient, type LLMRequest } from 'brooklet';
import {
  anthropic,
  azure,
  compatible,
  createProviderClient,
  deepseek,
  mistral,
  ollama,
  openai,
  type Provider,
  type ProviderOptions,
} from 'brooklet/providers';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toCompat } from '../../src/llm/wires/chat-completions/compat.ts';
import { all } from './all.ts';

const chat =
  'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const responses =
  'data: {"type":"response.output_text.delta","output_index":0,"delta":"Hello"}\n\ndata: {"type":"response.completed","response":{"status":"completed"}}\n\n';
const messages =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"text":"Hello"}}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n';

interface Asked {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

const question: LLMRequest = {
  sessionId: 's',
  maxTokens: 7,
  messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 }],
};

/** Sends a request through a provider, and returns the request and the chunks. */
async function ask(provider: Provider, options: ProviderOptions = {}, request = question) {
  const asked: Asked[] = [];
  const client = createProviderClient(provider, {
    apiKey: 'sk-canary-0123456789',
    model: 'm',
    fetch: (url, init) => {
      if (typeof url !== 'string' || typeof init?.body !== 'string') throw new Error('not what a client asks');
      asked.push({ url, headers: new Headers(init.headers), body: JSON.parse(init.body) });
      return Promise.resolve(
        new Response(url.endsWith('/responses') ? responses : url.endsWith('/messages') ? messages : chat),
      );
    },
    ...options,
  });
  const chunks = await lastValueFrom(client.sendRequest(request).pipe(toArray()));
  return { chunks, asked: asked[0] };
}

/** Returns the error of a request without an answer, or with this error reply. */
async function failure(provider: Provider, response?: Response, options: ProviderOptions = {}) {
  const fetch = (): Promise<Response> =>
    response ? Promise.resolve(response) : Promise.reject(new TypeError('Failed'));
  const client = createProviderClient(provider, { apiKey: 'sk-canary-0123456789', fetch, maxRetries: 0, ...options });
  const answer = lastValueFrom(client.sendRequest(question));
  return answer.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(all)('%s', (_, provider) => {
  it('sends requests to its address, over its wire', async () => {
    const { chunks, asked } = await ask(provider);
    expect(chunks[0]).toEqual({ type: 'text', text: 'Hello' });
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    expect(asked?.url.startsWith(`${provider.baseURL}/`)).toBe(true);
    expect(asked?.body).toMatchObject({ model: 'm', stream: true });
  });

  it('sends the key, and no header that a preflight may refuse', async () => {
    const { asked } = await ask(provider);
    const names = [...(asked?.headers.keys() ?? [])];
    const own =
      provider === anthropic
        ? ['x-api-key', 'anthropic-version', 'anthropic-dangerous-direct-browser-access']
        : ['authorization'];
    expect(names.toSorted()).toEqual(['accept', 'content-type', ...own].toSorted());
    expect(asked?.headers.get('x-api-key') ?? asked?.headers.get('authorization')).toContain('sk-canary-0123456789');
  });

  it('has the options that are known of its host', () => {
    if (provider.createClient !== createChatCompletionsClient) return;
    expect(provider.options?.compat ?? {}).toMatchObject(toCompat(new URL(provider.baseURL).host));
  });

  it('names where its keys are made, or needs none', async () => {
    const error = await failure(provider, new Response('{"error":{"message":"Bad key"}}', { status: 401 }));
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', status: 401 });
    const { keysURL, baseURL } = provider;
    if (keysURL === undefined) expect(baseURL).toMatch(/^http:\/\/localhost|example/);
    else expect(String(error)).toContain(`Keys are made at ${keysURL}`);
  });

  it('names the remedy where pages are not accepted by default', async () => {
    const error = await failure(provider);
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
    const { host } = new URL(provider.baseURL);
    expect(String(error)).toContain(`No answer from ${host}`);
    if (provider.pages === 'refused') expect(String(error)).toContain('proxy');
  });
});

describe('a provider’s client', () => {
  it('accepts another address, and keeps the provider’s options', async () => {
    const call = {
      type: 'tool',
      callId: 'c',
      name: 'f',
      status: 'succeeded',
      inputText: '{}',
      input: {},
      output: 1,
    } as const;
    const request: LLMRequest = {
      ...question,
      messages: [...question.messages, { id: 'r', role: 'assistant', content: [call], timestamp: 0 }],
    };
    const { asked } = await ask(mistral, { baseURL: 'https://proxy.example.com/v1' }, request);
    expect(asked?.url).toBe('https://proxy.example.com/v1/chat/completions');
    expect(asked?.body).not.toHaveProperty('stream_options');
    expect(JSON.stringify(asked?.body)).toMatch(/"tool_call_id":"[a-z\d]{9}","name":"f"/);
  });

  it('lets the caller override the provider’s options one by one', async () => {
    const { asked } = await ask(mistral, { compat: { streamOptions: true, maxTokens: 'max_completion_tokens' } });
    expect(asked?.body).toMatchObject({ stream_options: { include_usage: true }, max_completion_tokens: 7 });
  });

  it('passes each wire its own options', async () => {
    expect((await ask(openai, { sealedReasoning: true })).asked?.body).toMatchObject({
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 7,
    });
    const { maxTokens: _, ...unlimited } = question;
    expect((await ask(anthropic, { maxTokens: 99 }, unlimited)).asked?.body).toMatchObject({ max_tokens: 99 });
  });

  it('throws for an invalid address when it is created', () => {
    expect(() => createProviderClient(compatible('http://api.example.com/v1'))).toThrow(/not safe/);
    expect(() => azure('evil.example.com/x')).toThrow(/name of an Azure resource/);
  });

  it('names the page that Ollama must accept', async () => {
    expect(String(await failure(ollama))).toContain('OLLAMA_ORIGINS=null ollama serve');
  });

  it('names the proxy, not the provider, when the proxy does not answer', async () => {
    const error = await failure(ollama, undefined, { baseURL: 'https://proxy.example.com/v1' });
    expect(String(error)).toContain('No answer from proxy.example.com');
  });

  it('keeps other errors unchanged, and no error contains a key', async () => {
    const said = JSON.stringify({ error: { message: 'Not now, sk-canary-0123456789' } });
    for (const status of [400, 429]) {
      const error = await failure(deepseek, new Response(said, { status, headers: { 'retry-after': '3' } }));
      expect(error).toMatchObject({ status, retryAfter: 3_000, retryable: status === 429 });
      expect(String(error)).not.toContain('canary');
    }
  });
});
