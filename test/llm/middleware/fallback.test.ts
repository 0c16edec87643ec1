import { lastValueFrom, Observable, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AgentErrorCode } from '../../../src/core/error.ts';
import type { LLMClient, LLMRequest } from '../../../src/core/model/llm.ts';
import { withFallback } from '../../../src/llm/middleware/fallback.ts';
import { createScriptedClient, reply, type Script, type ScriptedClient } from '../../../src/testing/scripted.ts';

const request: LLMRequest = { sessionId: 's', messages: [], model: 'big', providerParams: { top_k: 1 }, maxTokens: 5 };
const client = (script: Script, origin?: string): ScriptedClient & LLMClient => {
  const scripted = createScriptedClient(script);
  return origin === undefined ? scripted : Object.assign(scripted, { origin });
};
const hear = (answer: LLMClient) => lastValueFrom(answer.sendRequest(request).pipe(toArray()));

describe('withFallback', () => {
  test('uses the first client where that answers', async () => {
    const [first, second] = [client([reply.text('Hi.')]), client([])];
    expect(await hear(withFallback([first, second]))).toEqual([
      { type: 'text', text: 'Hi.' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect([first.requests, second.requests]).toEqual([[request], []]);
  });

  test('sends the request to the next client, with that client’s model and parameters, and emits which client answers and why', async () => {
    const first = client([reply.fail('INSUFFICIENT_QUOTA', 'No credit.')]);
    const second = client([reply.fail('OFFLINE', 'Nobody there.')]);
    const third = client([reply.text('Hi.')], 'http://localhost:11434');
    expect(await hear(withFallback([first, second, third]))).toEqual([
      {
        type: 'part',
        part: {
          type: 'provider',
          name: 'brooklet.fallback',
          data: { client: 'http://localhost:11434', instead: { code: 'OFFLINE', message: 'Nobody there.' } },
        },
      },
      { type: 'text', text: 'Hi.' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(third.requests).toEqual([{ sessionId: 's', messages: [], maxTokens: 5 }]);
  });

  test('does not fall back once the answer has begun', async () => {
    const second = client([]);
    const answer = withFallback([client([reply.text('He'), reply.cut()]), second]);
    await expect(hear(answer)).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED' });
    expect(second.requests).toHaveLength(0);
  });

  test.each<AgentErrorCode>([
    'CONTENT_FILTERED',
    'CONTEXT_OVERFLOW',
    'INVALID_INPUT',
    'AUTHENTICATION_LOCKED',
    'ABORTED',
  ])('does not fall back from %s', async (code) => {
    const second = client([]);
    await expect(hear(withFallback([client([reply.fail(code)]), second]))).rejects.toMatchObject({ code });
    expect(second.requests).toHaveLength(0);
  });

  test('lets `when` decide whether to fall back', async () => {
    const answer = withFallback([client([reply.fail('CONTEXT_OVERFLOW')]), client([reply.text('Hi.')])], {
      when: ({ code }) => code === 'CONTEXT_OVERFLOW',
    });
    expect(await hear(answer)).toContainEqual({ type: 'text', text: 'Hi.' });
  });

  test('errors with the last failure, whose message contains the others', async () => {
    const answer = withFallback([
      client([reply.fail('INSUFFICIENT_QUOTA', 'No credit.')], 'https://api.example.com'),
      client([reply.fail('RATE_LIMIT_EXCEEDED', 'Too fast.', { retryAfter: 5 })]),
    ]);
    await expect(hear(answer)).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryable: true,
      retryAfter: 5,
      message: 'All clients failed. https://api.example.com: No credit. client 2: Too fast.',
    });
  });

  test('aborts the running request on unsubscribing', () => {
    let aborted = 0;
    const silent: LLMClient = { sendRequest: () => new Observable(() => () => (aborted += 1)) };
    const broken: LLMClient = {
      sendRequest: () => new Observable((subscriber) => subscriber.error(new Error('no'))),
    };
    withFallback([broken, silent]).sendRequest(request).subscribe().unsubscribe();
    expect(aborted).toBe(1);
  });

  test('rejects an empty list of clients', () => {
    expect(() => withFallback([])).toThrow(/no client/);
  });
});
