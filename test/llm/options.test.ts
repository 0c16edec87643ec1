import { AgentError, createChatCompletionsClient, type LLMClient } from 'brooklet';
import { createAGUIClient } from 'brooklet/agui';
import { createAnthropicClient } from 'brooklet/anthropic';
import { createRequestQueue, createResponsesClient, withFallback, withRetry, withTimeout } from 'brooklet/llm';
import { createOpenAIClient } from 'brooklet/openai';
import { anthropic, createProviderClient, deepseek, gemini, openai } from 'brooklet/providers';
import { createScriptedClient } from 'brooklet/testing';
import { lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { untyped } from '../support/untyped.ts';

const sdk = { chat: { completions: { create: () => ({ asResponse: () => Promise.resolve(new Response()) }) } } };
const client = createScriptedClient([]);

/** Creates a client with options that the types may not allow, and sends a request. */
type Attempt = (options: object) => LLMClient;
const clients: Readonly<Record<string, Attempt>> = {
  createChatCompletionsClient: (options) =>
    createChatCompletionsClient(untyped({ baseURL: 'http://localhost/v1', ...options })),
  createResponsesClient: (options) => createResponsesClient(untyped({ baseURL: 'http://localhost/v1', ...options })),
  createAnthropicClient: (options) => createAnthropicClient(untyped(options)),
  createAGUIClient: (options) => createAGUIClient(untyped({ url: 'http://localhost/agent', ...options })),
  createOpenAIClient: (options) => createOpenAIClient(sdk, untyped(options)),
};

const wrong: readonly (readonly [field: string, options: object])[] = [
  ['timeouts.first', { timeouts: { first: Number.NaN } }],
  ['timeouts.idle', { timeouts: { idle: -1 } }],
  ['timeouts.stall', { timeouts: { stall: '10' } }],
  ['timeouts', { timeouts: 60_000 }],
  ['limits.event', { limits: { event: Number.NaN } }],
  ['limits.calls', { limits: { calls: 0 } }],
  ['model', { model: 5 }],
  ['stream', { stream: 'no' }],
  ['headers', { headers: 'x: y' }],
  ['fetch', { fetch: 'fetch' }],
  ['delay', { delay: 5 }],
  ['apiKey', { apiKey: 5 }],
];

/** Options that a client does not have: their names are refused, whatever their values. */
const absent: Readonly<Record<string, readonly string[]>> = {
  createAGUIClient: ['model', 'stream'],
  createOpenAIClient: ['headers', 'fetch', 'apiKey'],
};

async function outcomeOf(create: () => LLMClient): Promise<unknown> {
  try {
    return await lastValueFrom(create().sendRequest({ sessionId: 's', messages: [] }));
  } catch (thrown) {
    return thrown;
  }
}

describe.each(Object.entries(clients))('%s', (name, create) => {
  const isLoadedInParts = name === 'createChatCompletionsClient';
  const own = wrong.filter(([field]) => !absent[name]?.includes(field));
  const sending = absent[name]?.includes('fetch') ? {} : { fetch: () => Promise.reject(new Error('sent')) };

  test.each(own)('refuses a wrong option before anything is sent: %s', async (field, options) => {
    const thrown = await outcomeOf(() => create({ ...sending, ...options }));
    expect(thrown).toBeInstanceOf(AgentError);
    expect(thrown).toMatchObject({ code: 'INVALID_CONFIG' });
    expect(String(thrown)).toContain(`The option \`${field}\` of ${name} is `);
  });

  test.each(isLoadedInParts ? [] : wrong)('refuses a wrong option where it is given: %s', (_field, options) => {
    expect(() => create(options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  test('refuses a wrong model or key that is the only option', async () => {
    for (const options of [{ model: 5 }, { apiKey: 5 }])
      expect(await outcomeOf(() => create(options))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test('takes no limits', async () => {
    const timeouts = { first: Infinity, idle: Infinity, stall: Infinity };
    const fetch = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));
    const thrown = await outcomeOf(() =>
      create({
        ...(absent[name]?.includes('fetch') ? {} : { fetch }),
        timeouts,
        limits: { stream: Infinity },
      }),
    );
    expect(thrown).not.toMatchObject({ code: 'INVALID_CONFIG' });
  });
});

test.each(wrong)('a client of a provider refuses a wrong option where it is given: %s', (field, options) => {
  const message = expect.stringContaining(`The option \`${field}\` of createProviderClient is `);
  for (const provider of [deepseek, gemini, openai, anthropic])
    expect(() => createProviderClient(provider, untyped(options))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message }),
    );
});

test('an SDK that is none is refused', () => {
  expect(() => createOpenAIClient(untyped({}))).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});

const middleware: Readonly<Record<string, () => unknown>> = {
  'withRetry: retries': () => withRetry(client, { retries: Number.NaN }),
  'withRetry: negative retries': () => withRetry(client, { retries: -1 }),
  'withRetry: firstDelay': () => withRetry(client, { firstDelay: Number.NaN }),
  'withRetry: maxDelay': () => withRetry(client, { maxDelay: -5 }),
  'withRetry: onRetry': () => withRetry(client, untyped({ onRetry: 'log' })),
  'withTimeout: NaN': () => withTimeout(client, Number.NaN),
  'withTimeout: 0': () => withTimeout(client, 0),
  'withFallback: when': () => withFallback([client], untyped({ when: true })),
  'createRequestQueue: NaN': () => createRequestQueue(Number.NaN),
};

test.each(Object.entries(middleware))('a wrong option is refused where it is given: %s', (_name, create) => {
  expect(create).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});
