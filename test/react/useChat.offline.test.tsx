import { act, renderHook, waitFor } from '@testing-library/react';
import { createChatCompletionsClient, extractTextContent } from 'brooklet';
import { useChat } from 'brooklet/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { agentWith, around, newSession } from './stage.tsx';

let isOnline = true;

beforeEach(() => {
  isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
});
afterEach(() => vi.restoreAllMocks());

function comeBack(): void {
  isOnline = true;
  dispatchEvent(new Event('online'));
}

/** A service that repeats the last message. Without a network `fetch` fails as that of a browser does, with an opaque `TypeError`. */
function createService() {
  const service = { requests: 0 };
  const client = createChatCompletionsClient({
    baseURL: 'https://api.test/v1',
    model: 'm',
    async fetch() {
      if (!isOnline) throw new TypeError('Load failed');
      service.requests += 1;
      const lines = [{ delta: { content: `Answer ${service.requests}.` } }, { delta: {}, finish_reason: 'stop' }];
      const text = lines.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
      return new Response(`${text.join('')}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return { client, service };
}

test('offline, a message waits, later ones queue behind it, and all go when the network is back', async () => {
  const { client, service } = createService();
  const agent = agentWith(client, { autoResume: true });
  const { id: sessionId } = newSession(agent);
  const { result } = renderHook(() => useChat({ sessionId }), { wrapper: around(agent) });
  isOnline = false;
  act(() => void result.current.send('First'));
  await waitFor(() => expect(result.current.retrying).toMatchObject({ until: 'online', error: { code: 'OFFLINE' } }));
  act(() => void result.current.send('Second', { whenBusy: 'queue' }));
  await waitFor(() => expect(result.current.queue).toHaveLength(1));
  expect(result.current.messages.map(({ role }) => role).slice(0, 1)).toEqual(['user']);
  expect([result.current.status, result.current.isCut, service.requests]).toEqual(['running', false, 0]);
  act(comeBack);
  await waitFor(() => expect(result.current.status).toBe('idle'));
  await waitFor(() => expect(service.requests).toBe(2));
  await waitFor(() =>
    expect(result.current.messages.map((message) => extractTextContent(message))).toEqual([
      'First',
      'Answer 1.',
      'Second',
      'Answer 2.',
    ]),
  );
  expect([result.current.queue, result.current.retrying, result.current.resuming]).toEqual([[], undefined, undefined]);
});

test('offline, Stop ends the wait, and the message stays for one tap', async () => {
  const { client, service } = createService();
  const agent = agentWith(client);
  const { id: sessionId } = newSession(agent);
  const { result } = renderHook(() => useChat({ sessionId }), { wrapper: around(agent) });
  isOnline = false;
  act(() => void result.current.send('First'));
  await waitFor(() => expect(result.current.retrying?.until).toBe('online'));
  act(() => result.current.stop());
  act(comeBack);
  expect([result.current.status, result.current.retrying, service.requests]).toEqual(['idle', undefined, 0]);
  act(() => void result.current.resume());
  await waitFor(() =>
    expect(result.current.messages.map((message) => extractTextContent(message))).toEqual(['First', 'Answer 1.']),
  );
});
