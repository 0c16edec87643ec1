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

/** Every wire over fetch, and how it begins an answer. */
const wires: readonly (readonly [string, beginning: string, (slow: Slow) => LLMClient])[] = [
  ['chat completions', beginnings.chat, (slow) => createChatCompletionsClient({ baseURL, apiKey, model, ...slow })],
  [
    'chat completions through the OpenAI SDK',
    beginnings.chat,
    ({ fetch, delay }) =>
      createOpenAIClient(new OpenAI({ baseURL, apiKey, fetch, dangerouslyAllowBrowser: true }), { model, delay }),
  ],
  ['/responses', beginnings.responses, (slow) => createResponsesClient({ baseURL, apiKey, model, ...slow })],
  ['/v1/messages', beginnings.anthropic, (slow) => createAnthropicClient({ baseURL, apiKey, model, ...slow })],
];

/** The error of an answer, and what was said before it. */
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
  ])('tells by `timeout` that its time is up: %s', async (timeout, said, retryable) => {
    const slow = createSlowAnswer(timeout, beginning);
    const { text, error } = await failureOf(create(slow));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout, retryable });
    expect(text).toBe(said);
    expect(slow.pending()).toBe(0);
  });

  test('tells by `timeout` that the time for the whole answer is up: total', async () => {
    const slow = createSlowAnswer('idle', beginning);
    // Its own watchdog never barks: the only timer that runs is the one for the whole.
    const patient = create({ ...slow, delay: () => () => {} });
    const { text, error } = await failureOf(withTimeout(patient, 1_000, slow.delay));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', timeout: 'total', retryable: false });
    expect(text).toBe('Hel');
  });
});

test('the browser’s own model has the time for the whole answer only', async () => {
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

describe('which time was up', () => {
  test.each<Silence>(['connect', 'first', 'idle', 'stall'])(
    'stands in the log, in an export and in another page: %s',
    async (timeout) => {
      const slow = createSlowAnswer(timeout, beginnings.chat);
      const client = createChatCompletionsClient({ baseURL, apiKey, model, ...slow });
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
