import { describe, expect, test } from 'vitest';
import { AgentError } from '../../../src/core/error.ts';
import type { LLMClient, LLMRequest } from '../../../src/core/model/llm.ts';
import { type Retry, type RetryOptions, withRetry, withTimeout } from '../../../src/llm/middleware/retry.ts';
import { createScriptedClient, reply, type Script } from '../../../src/testing/scripted.ts';
import { createManualClient, say } from '../../support/manual-client.ts';

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

/** Fires at once, and records the delays. */
function createClock(): Pick<RetryOptions, 'delay' | 'random'> & { waits: number[] } {
  const waits: number[] = [];
  return { waits, random: () => 0.5, delay: (callback, ms) => (waits.push(ms), callback(), () => {}) };
}

const portsOf = ({ waits: _waits, ...ports }: ReturnType<typeof createClock>): RetryOptions => ports;

const busy = reply.fail('OVERLOADED');
const answers = (...scripts: Script[]) => createScriptedClient(scripts);

describe('withRetry', () => {
  test('sends the request again after a retryable failure, with growing delays', async () => {
    const clock = createClock();
    const client = answers([busy], [busy], [reply.text('Hello.')]);
    expect(await hear(withRetry(client, portsOf(clock)))).toEqual({ text: 'Hello.' });
    expect([client.requests.length, clock.waits]).toEqual([3, [1_000, 2_000]]);
  });

  test('errors with the last failure after the last attempt', async () => {
    const clock = createClock();
    const client = answers([busy], [busy], [busy], [reply.fail('RATE_LIMIT_EXCEEDED')]);
    expect((await hear(withRetry(client, portsOf(clock)))).error?.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(client.requests).toHaveLength(4);
  });

  test.each<[string, Script]>([
    ['after a failure that is not retryable', [reply.fail('AUTHENTICATION_FAILED')]],
    ['once a chunk has arrived', [reply.text('He'), reply.cut()]],
    [
      'when the service asks for too long a delay',
      [reply.fail('RATE_LIMIT_EXCEEDED', 'Later.', { retryAfter: 60_000 })],
    ],
  ])('does not retry %s', async (_, script) => {
    const client = createScriptedClient(script);
    expect((await hear(withRetry(client, portsOf(createClock())))).error).toBeDefined();
    expect(client.requests).toHaveLength(1);
  });

  test('waits as long as the service asks, else with jitter', async () => {
    const clock = createClock();
    await hear(
      withRetry(
        answers([reply.fail('RATE_LIMIT_EXCEEDED', 'Later.', { retryAfter: 7_000 })], [reply.text('a')]),
        portsOf(clock),
      ),
    );
    await hear(withRetry(answers([busy], [reply.text('a')]), { ...portsOf(clock), random: () => 0 }));
    expect(clock.waits).toEqual([7_000, 800]);
  });

  test('calls onRetry before each delay', async () => {
    const retries: unknown[] = [];
    const onRetry: RetryOptions['onRetry'] = ({ attempt, attempts, ms, error }) =>
      retries.push([attempt, attempts, ms, error.code]);
    await hear(withRetry(answers([busy], [reply.text('a')]), { ...portsOf(createClock()), onRetry }));
    expect(retries).toEqual([[2, 4, 1_000, 'OVERLOADED']]);
  });

  test('cancels the delay on unsubscribing', async () => {
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

describe('retries$', () => {
  const three = (delay: NonNullable<RetryOptions['delay']>) => {
    const client = createManualClient();
    return { client, retrying: withRetry(client, { retries: 3, delay, random: () => 0.5 }) };
  };
  const overloaded = new AgentError('Overloaded.', { code: 'OVERLOADED' });

  test('contains the next attempt, its number, delay and reason, until the first chunk', () => {
    let goOn = (): void => {};
    const { client, retrying } = three((callback) => ((goOn = callback), () => {}));
    const seen: (Retry | undefined)[] = [];
    retrying.retries$.subscribe((retries) => seen.push(retries.get('s')));
    retrying.sendRequest(request).subscribe();
    client.last().chunks.error(overloaded);
    const notice = { sessionId: 's', attempt: 2, attempts: 4, ms: 1_000, error: overloaded };
    expect(retrying.getRetries().get('s')).toEqual(notice);
    goOn();
    // The request was sent again: no chunk has arrived yet.
    expect(retrying.getRetries().get('s')).toEqual(notice);
    say(client.last(), 'Hi.');
    expect(seen).toEqual([undefined, notice, undefined]);
    expect(retrying.getRetries()).toBe(retrying.getRetries());
  });

  test('is empty after the request is cancelled, and no attempt follows', () => {
    let called = 0;
    const { client, retrying } = three(() => () => (called += 1));
    const subscription = retrying.sendRequest(request).subscribe();
    client.last().chunks.error(overloaded);
    expect(retrying.getRetries().size).toBe(1);
    subscription.unsubscribe();
    expect([retrying.getRetries().size, called, client.asked.length]).toEqual([0, 1, 1]);
  });

  test('is empty after the last attempt', () => {
    const { client, retrying } = three((callback) => (callback(), () => {}));
    let error: unknown;
    retrying.sendRequest(request).subscribe({ error: (thrown: unknown) => (error = thrown) });
    for (let n = 0; n < 4; n += 1) client.last().chunks.error(overloaded);
    expect([error, retrying.getRetries().size, client.asked.length]).toEqual([overloaded, 0, 4]);
  });

  test('lists each session separately', () => {
    const { client, retrying } = three(() => () => {});
    for (const sessionId of ['a', 'b']) {
      retrying.sendRequest({ ...request, sessionId }).subscribe();
      client.last().chunks.error(overloaded);
    }
    expect([...retrying.getRetries().keys()]).toEqual(['a', 'b']);
  });
});

describe('withTimeout', () => {
  test('errors for an answer that takes too long, after the chunks that arrived', async () => {
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
