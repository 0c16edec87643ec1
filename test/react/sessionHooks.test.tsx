import { act, render, renderHook, screen } from '@testing-library/react';
import { createAgent, defineOutput } from 'brooklet';
import {
  AgentProvider,
  useContextReport,
  useMessages,
  useOutput,
  usePendingCalls,
  useStreamingText,
  useSuspenseSession,
  useUsage,
} from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { StrictMode, Suspense } from 'react';
import { expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { ask, recorded } from '../support/stage.ts';
import { agentWith, around, newSession } from './stage.tsx';
import { until } from '../support/until.ts';

test('return the messages, the text that arrives, the usage and the context of a session', async () => {
  const client = createManualClient();
  const agent = agentWith(client, { contextWindow: 10_000 });
  const session = newSession(agent);
  const { result } = renderHook(() => ({
    messages: useMessages(session),
    text: useStreamingText(session),
    usage: useUsage(session),
    report: useContextReport(session),
  }));
  await act(async () => void session.send('go'));
  await until(() => expect([result.current.messages.length, result.current.text]).toEqual([2, '']));
  await act(async () => client.last().chunks.next({ type: 'text', text: 'some' }));
  await until(() => expect(result.current.text).toBe('some'));
  await act(async () => {
    client.last().chunks.next({ type: 'usage', usage: { input: 3, output: 2 } });
    say(client.last(), '.');
  });
  expect([result.current.text, result.current.usage]).toEqual([undefined, { input: 3, output: 2 }]);
  await until(() => expect(result.current.report).toMatchObject({ window: 10_000 }));
});

test('return nothing without a session', () => {
  const { result } = renderHook(() => [
    useMessages(undefined),
    useStreamingText(undefined),
    useUsage(undefined),
    useContextReport(undefined),
  ]);
  expect(result.current).toEqual([[], undefined, { input: 0, output: 0 }, undefined]);
});

test('useOutput returns the typed answer as far as it has arrived, and that of the next answer after it', async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  } as const;
  const city = defineOutput({ schema });
  const client = createManualClient();
  const session = newSession(agentWith(client));
  const { result } = renderHook(() => useOutput(session, city));
  for (const name of ['Lima', 'Cusco']) {
    await act(async () => void session.send('Where?', { output: city }));
    await act(settled);
    await act(async () => client.last().chunks.next({ type: 'text', text: `{"name":"${name.slice(0, 2)}` }));
    await until(() => expect(result.current).toEqual({ name: name.slice(0, 2) }));
    await act(async () => say(client.last(), `${name.slice(2)}"}`));
    expect(result.current).toEqual({ name });
  }
});

test('usePendingCalls returns the waiting calls of all sessions', async () => {
  const { tool } = recorded('work', { needsApproval: true });
  const client = createManualClient();
  const agent = agentWith(client, { tools: [tool] });
  const sessions = [newSession(agent), newSession(agent)];
  const { result } = renderHook(() => usePendingCalls(), { wrapper: around(agent) });
  for (const session of sessions) await act(() => ask({ session, client }, ['work', '{}']));
  expect(result.current.map(({ sessionId }) => sessionId)).toEqual(sessions.map(({ id }) => id));
});

test('usePendingCalls returns the calls that wait in stored sessions, which it does not open, until they are decided', async () => {
  const { tool, runs } = recorded('work', { needsApproval: true });
  const store = createMemoryStore();
  const before = agentWith(createManualClient(), { tools: [tool], store });
  const client = createManualClient();
  const earlier = agentWith(client, { tools: [tool], store });
  const stored = await earlier.openSession(earlier.createSession());
  await ask({ session: stored, client }, ['work', '{"n":1}']);
  await stored.flushed();
  await earlier.dispose();
  const { result, unmount } = renderHook(() => usePendingCalls(), { wrapper: around(before) });
  expect(result.current).toEqual([]);
  await until(() => expect(result.current).toMatchObject([{ sessionId: stored.id, name: 'work', isOpen: false }]));
  expect([result.current[0]?.call, before.getSession(stored.id)]).toEqual([undefined, undefined]);
  const session = await act(() => before.openSession(stored.id));
  expect(result.current).toMatchObject([{ isOpen: true, call: { name: 'work', input: { n: 1 } } }]);
  await act(() => session.approve(result.current[0]?.callId ?? ''));
  await until(() => expect([result.current, runs.length]).toEqual([[], 1]));
  unmount();
});

test('useSuspenseSession suspends while a session is opened, and gives its error to the component', async () => {
  const store = createMemoryStore();
  const before = createAgent({ client: createManualClient(), store });
  const stored = await before.openSession(before.createSession());
  stored.addMessage({ role: 'user', content: 'kept' });
  await stored.flushed();
  const agent = agentWith(createManualClient(), { store });
  function Title({ id }: { readonly id: string }) {
    const { session, error } = useSuspenseSession(id);
    return <p>{session ? session.getState().title : error.code}</p>;
  }
  const view = (id: string) => (
    <StrictMode>
      <AgentProvider agent={agent}>
        <Suspense fallback={<p>opening</p>}>
          <Title key={id} id={id} />
        </Suspense>
      </AgentProvider>
    </StrictMode>
  );
  const { rerender } = render(view(stored.id));
  expect(screen.getByText('opening')).toBeDefined();
  expect(await screen.findByText('kept')).toBeDefined();
  rerender(view('nobody'));
  expect(await screen.findByText('SESSION_NOT_FOUND')).toBeDefined();
});
