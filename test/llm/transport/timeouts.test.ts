import {
  type AgentError,
  createAgent,
  createChatCompletionsClient,
  createResponsesClient,
  type LLMClient,
} from 'brooklet';
import { fromErrorInfo, toErrorInfo } from 'brooklet/core';
import { withTimeout } from 'brooklet/llm';
import { createAnthropicClient } from 'brooklet/anthropic';
import { createOpenAIClient } from 'brooklet/openai';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createBuiltInClient } from '../../../src/llm/wires/built-in/client.ts';
import { createPromptApi } from '../../support/prompt-api.ts';
import { beginnings, createSlowAnswer, type Silence } from '../../support/slow-answer.ts';

type Slow = ReturnType<typeof createSlowAnswer>;
const baseURL = 'https://api.test/v1';
const apiKey = 'sk-canary-0123456789';
const model = 'm';

/** Every wire over fetch, with the beginning of an answer. */
const wires: readonly (readonly [string, beginning: string, (slow: Slow) => LLMClient])[] = [
  [
    'chat completions',
    beginnings.chat,
    ({ fetch, delay }) => createChatCompletionsClient({ baseURL, apiKey, model, fetch, delay }),
  ],
  [
    'chat completions through the OpenAI SDK',
    beginnings.chat,
    ({ fetch, delay }) =>
      createOpenAIClient(new OpenAI({ baseURL, apiKey, fetch, dangerouslyAllowBrowser: true }), { model, delay }),
  ],
  [
    '/responses',
    beginnings.responses,
    ({ fetch, delay }) => createResponsesClient({ baseURL, apiKey, model, fetch, delay }),
  ],
  [
    '/v1/messages',
    beginnings.anthropic,
    ({ fetch, delay }) => createAnthropicClient({ baseURL, apiKey, model, fetch, delay }),
  ],
];

/** The error of an answer, and the text before it. */
function failureOf(client: LLMClient): Promise<{ readonly text: string; readonly error: AgentError }> {
  const question = { id: 'q', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 } as const;
  return new Promise((resolve, reject) => {
    let text = '';
    client.sendRequest({ sessionId: 's', messages: [question] }).subscribe({
      next: (chunk) => (text += chunk.type === 'text' ? chunk.text : ''),
      error: (error: AgentError) => resolve({ text, error }),
      complete: () => reject(new Error('It was answered.')),
    });
  });
}

describe.each(wires)('%s', (_, beginning, create) => {
  test.each<readonly [Silence, said: string, retryable: boolean]>([
    ['connect', '', true],
    ['first', '', true],
    ['idle', 'Hel', false],
    ['stall', '', true],
  ])('states in `timeout` which timeout it was: %s', async (timeout, said, retryable) => {
    const slow = createSlowAnswer(timeout, beginning);
    const { text, error } = await failureOf(create(slow));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout, retryable });
    expect(text).toBe(said);
    expect(slow.pending()).toBe(0);
  });

  test('states in `timeout` that the whole answer took too long: total', async () => {
    const slow = createSlowAnswer('idle', beginning);
    // The watchdog never fires: the only timer that runs is the one of the whole answer.
    const patient = create({ ...slow, delay: () => () => {} });
    const { text, error } = await failureOf(withTimeout(patient, 1_000, slow.delay));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout: 'total', retryable: false });
    expect(text).toBe('Hel');
  });
});

test('the browser’s own model has only the timeout of the whole answer', async () => {
  const api = createPromptApi();
  let fire = (): void => {};
  api.pieces = ['Hel', new Promise(() => {})];
  const client = createBuiltInClient({ scope: api });
  const timed = withTimeout(client, 1_000, (callback) => {
    fire = callback;
    return () => {};
  });
  const failing = failureOf(timed);
  fire();
  expect((await failing).error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout: 'total' });
});

describe('the kind of a timeout', () => {
  test.each<Silence>(['connect', 'first', 'idle', 'stall'])(
    'is stored in the log, in an export and in an imported session: %s',
    async (timeout) => {
      const slow = createSlowAnswer(timeout, beginnings.chat);
      const client = createChatCompletionsClient({ baseURL, apiKey, model, fetch: slow.fetch, delay: slow.delay });
      const store = createMemoryStore();
      const session = await open(createAgent({ client, store }));
      const { error } = await session.send('hi');
      expect(error?.timeout).toBe(timeout);
      await session.flushed();

      const stored = await store.read(session.id);
      const imported = createMemoryStore();
      if (stored) await importSessions(imported, exportSession(stored));
      for (const one of [store, imported]) {
        const again = await createAgent({ client, store: one }).openSession(session.id);
        const info = again.getState().run?.error;
        expect(info).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout });
        expect(info && fromErrorInfo(info)).toMatchObject({ timeout });
        expect(info && toErrorInfo(fromErrorInfo(info))).toEqual(info);
      }
    },
  );
});

function open(agent: ReturnType<typeof createAgent>): ReturnType<typeof agent.openSession> {
  return agent.openSession(agent.createSession());
}
