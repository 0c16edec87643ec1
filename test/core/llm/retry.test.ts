import { describe, expect, test } from 'vitest';
import type { AgentError } from '../../../src/core/error.ts';
import type { LLMClient, LLMRequest } from '../../../src/core/llm/client.ts';
import { type RetryOptions, withRetry, withTimeout } from '../../../src/core/llm/retry.ts';
import { createScriptedClient, reply, type Script } from '../../../src/core/llm/scripted.ts';

const request: LLMRequest = { sessionId: 's', messages: [] };

function hear(client: LLMClient): Promise<{ text: string; error?: AgentError }> {
  return new Promise((resolve) => {
    let text = '';
    client.sendRequest(request).subscribe({
      next: (chunk) => (text += chunk.type === 'text' ? chunk.text : ''),
      error: (error: AgentError) => resolve({ text, error }),
      complete: () => resolve({ text }),
    });
  });
}

/** Waits without waiting, and keeps how long it would have been. */
function createClock(): Pick<RetryOptions, 'delay' | 'random'> & { waits: number[] } {
  const waits: number[] = [];
  return { waits, random: () => 0.5, delay: (callback, ms) => (waits.push(ms), callback(), () => {}) };
}

const busy = reply.fail('OVERLOADED');
const answers = (...scripts: Script[]) => createScriptedClient(scripts);

describe('withRetry', () => {
  test('asks again after a failure that may pass, each time later', async () => {
    const clock = createClock();
    const client = answers([busy], [busy], [reply.text('Hello.')]);
    expect(await hear(withRetry(client, clock))).toEqual({ text: 'Hello.' });
    expect([client.requests.length, clock.waits]).toEqual([3, [1_000, 2_000]]);
  });

  test('ends with the last failure, never in silence', async () => {
    const clock = createClock();
    const client = answers([busy], [busy], [busy], [reply.fail('RATE_LIMIT_EXCEEDED')]);
    expect((await hear(withRetry(client, clock))).error?.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(client.requests).toHaveLength(4);
  });

  test.each<[string, Script]>([
    ['after a failure that will not pass', [reply.fail('AUTHENTICATION_FAILED')]],
    ['once something was said', [reply.text('He'), reply.cut()]],
    ['when told to wait for too long', [reply.fail('RATE_LIMIT_EXCEEDED', 'Later.', { retryAfter: 60_000 })]],
  ])('does not ask again %s', async (_, script) => {
    const client = createScriptedClient(script);
    expect((await hear(withRetry(client, createClock()))).error).toBeDefined();
    expect(client.requests).toHaveLength(1);
  });

  test('waits as long as the service asks, within jitter otherwise', async () => {
    const clock = createClock();
    await hear(
      withRetry(
        answers([reply.fail('RATE_LIMIT_EXCEEDED', 'Later.', { retryAfter: 7_000 })], [reply.text('a')]),
        clock,
      ),
    );
    await hear(withRetry(answers([busy], [reply.text('a')]), { ...clock, random: () => 0 }));
    expect(clock.waits).toEqual([7_000, 800]);
  });

  test('says what it is about to do', async () => {
    const told: unknown[] = [];
    const onRetry: RetryOptions['onRetry'] = ({ attempt, attempts, ms, error }) =>
      told.push([attempt, attempts, ms, error.code]);
    await hear(withRetry(answers([busy], [reply.text('a')]), { ...createClock(), onRetry }));
    expect(told).toEqual([[2, 4, 1_000, 'OVERLOADED']]);
  });

  test('stops waiting when unsubscribed', async () => {
    let cancelled = 0;
    const client = answers([busy]);
    let waiting = (): void => {};
    const started = new Promise<void>((resolve) => (waiting = resolve));
    const subscription = withRetry(client, { delay: () => (waiting(), () => (cancelled += 1)) })
      .sendRequest(request)
      .subscribe({ error: () => {} });
    await started;
    subscription.unsubscribe();
    expect([cancelled, client.requests.length]).toEqual([1, 1]);
  });
});

describe('withTimeout', () => {
  test('ends an answer that takes too long, and keeps what came', async () => {
    let late = (): void => {};
    const client = createScriptedClient([reply.text('Hel'), reply.until(new Promise(() => {}))]);
    const ending = hear(withTimeout(client, 500, (callback) => ((late = callback), () => {})));
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
    late();
    expect(await ending).toMatchObject({ text: 'Hel', error: { code: 'REQUEST_TIMEOUT' } });
    expect(client.aborted).toBe(1);
  });

  test('leaves no timer behind', async () => {
    let cancelled = 0;
    expect(await hear(withTimeout(createScriptedClient([reply.text('a')]), 500, () => () => (cancelled += 1)))).toEqual(
      { text: 'a' },
    );
    expect(cancelled).toBe(1);
  });
});
