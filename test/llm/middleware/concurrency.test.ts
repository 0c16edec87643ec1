import { Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { LLMClient, LLMRequest } from '../../../src/core/model/llm.ts';
import { createRequestQueue, withConcurrency } from '../../../src/llm/middleware/concurrency.ts';
import { withRetry } from '../../../src/llm/middleware/retry.ts';
import { createScriptedClient, reply } from '../../../src/testing/scripted.ts';
import { createManualClient, say } from '../../support/manual-client.ts';

const request: LLMRequest = { sessionId: 's', messages: [] };
const at = (origin: string) => Object.assign(createManualClient(), { origin });

describe('withConcurrency', () => {
  test('runs at most the given number of requests, and starts the others in order as slots become free', () => {
    const client = createManualClient();
    const limited = withConcurrency(client, 2);
    const heard: number[] = [];
    for (const n of [0, 1, 2, 3])
      limited
        .sendRequest({ ...request, sessionId: String(n) })
        .subscribe({ complete: () => heard.push(n), error: () => {} });
    const asked = (): string[] => client.asked.map(({ request: { sessionId } }) => sessionId);
    expect(asked()).toEqual(['0', '1']);
    say(client.asked[1] ?? client.last(), 'a');
    expect(asked()).toEqual(['0', '1', '2']);
    client.asked[0]?.chunks.error(new Error('no'));
    expect(asked()).toEqual(['0', '1', '2', '3']);
    for (const one of client.asked.slice(2)) say(one, 'a');
    expect(heard).toEqual([1, 2, 3]);
  });

  test('never sends a waiting request that is unsubscribed, and reserves no slot for it', () => {
    const client = createManualClient();
    const limited = withConcurrency(client, 1);
    const first = limited.sendRequest(request).subscribe();
    const second = limited.sendRequest(request).subscribe();
    limited.sendRequest({ ...request, sessionId: 'third' }).subscribe();
    second.unsubscribe();
    expect(client.asked).toHaveLength(1);
    first.unsubscribe();
    expect(client.asked[0]?.aborted).toBe(true);
    expect(client.last().request.sessionId).toBe('third');
  });

  test('releases a slot once, however its request ends', () => {
    const client = createManualClient();
    const limited = withConcurrency(client, 1);
    for (let n = 0; n < 3; n += 1) {
      const subscription = limited.sendRequest(request).subscribe({ error: () => {} });
      if (n === 0) say(client.last(), 'a');
      if (n === 1) client.last().chunks.error(new Error('no'));
      subscription.unsubscribe();
      subscription.unsubscribe();
    }
    limited.sendRequest(request).subscribe();
    limited.sendRequest(request).subscribe();
    expect(client.asked).toHaveLength(4);
  });

  test('releases the slot of a request that is answered synchronously', () => {
    let asked = 0;
    const instant: LLMClient = {
      sendRequest: () => new Observable((subscriber) => ((asked += 1), subscriber.complete())),
    };
    const limited = withConcurrency(instant, 1);
    for (let n = 0; n < 3; n += 1) limited.sendRequest(request).subscribe();
    expect(asked).toBe(3);
  });

  test('shares the slots of a queue between clients, for each origin', () => {
    const queue = createRequestQueue(1);
    const [a, alsoA, b] = [at('https://a.test'), at('https://a.test'), at('https://b.test')];
    for (const client of [a, alsoA, b]) withConcurrency(client, queue).sendRequest(request).subscribe();
    expect([a, alsoA, b].map(({ asked }) => asked.length)).toEqual([1, 0, 1]);
    say(a.last(), 'done');
    expect(alsoA.asked).toHaveLength(1);
  });

  test('counts clients without an origin separately', () => {
    const queue = createRequestQueue(1);
    const clients = [createManualClient(), createManualClient()];
    for (const client of clients) withConcurrency(client, queue).sendRequest(request).subscribe();
    expect(clients.map(({ asked }) => asked.length)).toEqual([1, 1]);
  });

  test('occupies no slot for a request that waits for its next attempt, inside withRetry', () => {
    const failing = createScriptedClient([reply.fail('OVERLOADED')]);
    const manual = createManualClient();
    const queue = createRequestQueue(1);
    const origin = 'https://a.test';
    let waits = 0;
    const retrying = withRetry(withConcurrency(Object.assign(failing, { origin }), queue), {
      delay: () => ((waits += 1), () => {}),
    });
    expect(retrying.origin).toBe(origin);
    return new Promise<void>((resolve) => {
      retrying.sendRequest(request).subscribe();
      const other = withConcurrency(Object.assign(manual, { origin }), queue);
      other.sendRequest(request).subscribe({ complete: resolve });
      expect(manual.asked).toHaveLength(0);
      queueMicrotask(function look() {
        if (waits === 0) return queueMicrotask(look);
        say(manual.last(), 'my turn');
      });
    });
  });

  test.each([0, -1, 1.5, Number.NaN])('%s places are refused', (max) => {
    expect(() => createRequestQueue(max)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
