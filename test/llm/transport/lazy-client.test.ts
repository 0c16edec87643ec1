import { Observable } from 'rxjs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AgentError } from '../../../src/core/error.ts';
import type { LLMChunk, LLMClient } from '../../../src/core/model/llm.ts';
import { createLazyClient } from '../../../src/llm/transport/lazy-client.ts';
import { createChatCompletionsClient } from '../../../src/llm/wires/chat-completions/client.ts';
import { createResponsesClient } from '../../../src/llm/wires/responses/client.ts';
import { createGate } from '../../support/gate.ts';
import { delta, frame } from '../../support/llm-answer.ts';
import { until } from '../../support/until.ts';

/** How often each wire of the package was loaded, and whether the network fails. */
const network = vi.hoisted(() => ({ loads: 0, isDown: false }));
function load(original: () => Promise<object>): Promise<object> {
  network.loads += 1;
  return network.isDown ? Promise.reject(new TypeError('Failed to fetch dynamically imported module')) : original();
}
vi.mock('../../../src/llm/wires/chat-completions/wire.ts', (original) => load(original));
vi.mock('../../../src/llm/wires/responses/wire.ts', (original) => load(original));

beforeEach(() => {
  network.loads = 0;
  network.isDown = false;
});

const baseURL = 'https://api.test/v1';
const request = { sessionId: 's', messages: [] };
const finish: LLMChunk = { type: 'finish', reason: 'stop' };

/** A wire that records its requests, and finishes each at once. */
function createWire() {
  const wire = { requests: 0, aborted: 0 };
  const client: LLMClient = {
    sendRequest: () =>
      new Observable((subscriber) => {
        wire.requests += 1;
        subscriber.next(finish);
        return () => void (wire.aborted += 1);
      }),
  };
  return { wire, client };
}

/** Subscribes, and records what the client emits. */
function send(client: LLMClient) {
  const received: (LLMChunk | AgentError | 'complete')[] = [];
  const subscription = client.sendRequest(request).subscribe({
    next: (chunk) => received.push(chunk),
    error: (error: AgentError) => received.push(error),
    complete: () => received.push('complete'),
  });
  return { received, unsubscribe: () => subscription.unsubscribe() };
}

/** All that follows from settled promises has happened. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a client whose wire is loaded', () => {
  test('loads the wire as the client is created, once, with the checked address', async () => {
    const load = vi.fn(async () => createWire().client);
    const client = createLazyClient({ baseURL: `${baseURL}/` }, '/chat/completions', load);
    expect(load.mock.calls).toEqual([
      [{ url: 'https://api.test/v1/chat/completions', host: 'api.test', origin: 'https://api.test' }],
    ]);
    expect(client.origin).toBe('https://api.test');
    send(client);
    send(client);
    await settled();
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('throws INVALID_CONFIG at once for an unusable base URL, and loads nothing', () => {
    const load = vi.fn(async () => createWire().client);
    for (const wrong of ['', 'api.test/v1', 'http://api.test/v1', 'https://user@api.test'])
      expect(() => createLazyClient({ baseURL: wrong }, '/p', load)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
    expect(load).not.toHaveBeenCalled();
  });

  test('sends one request for each subscription, and aborts it on unsubscribing', async () => {
    const { wire, client } = createWire();
    const lazyClient = createLazyClient({ baseURL }, '/p', async () => client);
    const requests = [send(lazyClient), send(lazyClient)];
    await settled();
    expect(requests.map(({ received }) => received)).toEqual([[finish], [finish]]);
    requests[0]?.unsubscribe();
    expect(wire).toEqual({ requests: 2, aborted: 1 });
  });

  test('sends nothing for a request that is unsubscribed while the wire is loading', async () => {
    const gate = createGate();
    const { wire, client } = createWire();
    const left = send(createLazyClient({ baseURL }, '/p', () => gate.opened.then(() => client)));
    left.unsubscribe();
    gate.open();
    await settled();
    expect(left.received).toEqual([]);
    expect(wire.requests).toBe(0);
  });

  test('errors with MODULE_UNAVAILABLE where the wire cannot be loaded, and loads again for the next request', async () => {
    const { client } = createWire();
    const load = vi.fn(async () => client).mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const lazyClient = createLazyClient({ baseURL }, '/p', load);
    const first = send(lazyClient);
    await settled();
    expect(first.received).toMatchObject([{ name: 'AgentError', code: 'MODULE_UNAVAILABLE', retryable: false }]);
    const second = send(lazyClient);
    await settled();
    expect(second.received).toEqual([finish]);
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe.each([
  ['chat completions', createChatCompletionsClient, frame([delta({ content: 'a' }, 'stop')])],
  [
    'Responses',
    createResponsesClient,
    frame([
      { type: 'response.output_text.delta', output_index: 0, delta: 'a' },
      { type: 'response.completed', response: { status: 'completed' } },
    ]),
  ],
])('the client for %s', (_, createClient, answer) => {
  const fetch = vi.fn(async () => new Response(answer));

  test('sends nothing while its wire cannot be loaded, and sends when it can', async () => {
    network.isDown = true;
    const client = createClient({ baseURL, fetch });
    await settled();
    expect(network.loads).toBeGreaterThan(0);
    const first = send(client);
    await until(() => expect(first.received).toMatchObject([{ code: 'MODULE_UNAVAILABLE', retryable: false }]));
    expect(fetch).not.toHaveBeenCalled();

    network.isDown = false;
    const second = send(client);
    await until(() => expect(second.received.at(-1)).toBe('complete'));
    expect(second.received[0]).toEqual({ type: 'text', text: 'a' });
  });

  test('throws INVALID_CONFIG at once for an unusable base URL', () => {
    expect(() => createClient({ baseURL: 'http://api.test' })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});
