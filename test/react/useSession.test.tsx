import { act, renderHook, waitFor } from '@testing-library/react';
import { AgentError } from 'brooklet';
import { useSession } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, around, newSession } from './stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

test('gives a session that is in memory at the first render', () => {
  const agent = agentWith(client);
  const session = newSession(agent);
  const { result } = renderHook(() => useSession(session.id), { wrapper: around(agent) });
  expect(result.current).toEqual({ session, status: 'idle', error: undefined, isLoading: false });
});

test('follows the status', async () => {
  const agent = agentWith(createScriptedClient([reply.fail('OFFLINE')]));
  const session = newSession(agent);
  const { result } = renderHook(() => useSession(session.id), { wrapper: around(agent) });
  await act(async () => void (await session.send('Hi')));
  expect(result.current.status).toBe('failed');
});

test('opens a stored session once, however many ask for it', async () => {
  const store = createMemoryStore();
  const stored = newSession(agentWith(client, { store }));
  await stored.send('Hi');
  await stored.flushed();

  const agent = agentWith(client, { store });
  let opened = 0;
  const counted = { ...agent, openSession: (id: string) => ((opened += 1), agent.openSession(id)) };
  const { result } = renderHook(() => [useSession(stored.id), useSession(stored.id)], {
    wrapper: around(counted),
    reactStrictMode: true,
  });
  expect(result.current[0]).toEqual({ session: undefined, status: undefined, error: undefined, isLoading: true });
  await waitFor(() => expect(result.current[0]?.session?.getMessages()).toHaveLength(2));
  expect(result.current[1]).toEqual(result.current[0]);
  expect(result.current[0]).toMatchObject({ status: 'idle', error: undefined, isLoading: false });
  expect(opened).toBe(1);
});

test('tells of a session that is not there with a typed error', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const { result } = renderHook(() => useSession('gone'), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.error).toBeInstanceOf(AgentError));
  expect(result.current).toMatchObject({ session: undefined, error: { code: 'SESSION_NOT_FOUND' }, isLoading: false });
});

test('tells when the session is removed', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const session = newSession(agent);
  await session.flushed();
  const { result } = renderHook(() => useSession(session.id), { wrapper: around(agent) });
  act(() => void agent.removeSession(session.id));
  await waitFor(() => expect(result.current.error?.code).toBe('SESSION_NOT_FOUND'));
  expect(result.current.session).toBeUndefined();
});

test('opens without a network', async () => {
  const store = createMemoryStore();
  const stored = newSession(agentWith(client, { store }));
  await stored.send('Hi');
  await stored.flushed();
  const { onlineManager } = await import('@tanstack/react-query');
  onlineManager.setOnline(false);
  try {
    const { result } = renderHook(() => useSession(stored.id), { wrapper: around(agentWith(client, { store })) });
    await waitFor(() => expect(result.current.session?.id).toBe(stored.id));
  } finally {
    onlineManager.setOnline(true);
  }
});

test('without an id there is no session, and nothing loads', () => {
  const { result } = renderHook(() => useSession(undefined), { wrapper: around(agentWith(client)) });
  expect(result.current).toEqual({ session: undefined, status: undefined, error: undefined, isLoading: false });
});
