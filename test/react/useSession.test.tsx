import { act, renderHook, waitFor } from '@testing-library/react';
import { AgentError } from 'brooklet';
import { useChat, useSession } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, around, newSession } from './stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

test('returns a session in memory at the first render', () => {
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

test('opens a stored session once for all components', async () => {
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

test('returns a typed error for a session that does not exist', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const { result } = renderHook(() => useSession('gone'), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.error).toBeInstanceOf(AgentError));
  expect(result.current).toMatchObject({ session: undefined, error: { code: 'SESSION_NOT_FOUND' }, isLoading: false });
});

test('returns an error when the session is removed', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const session = newSession(agent);
  await session.flushed();
  const { result } = renderHook(() => useSession(session.id), { wrapper: around(agent) });
  act(() => void agent.removeSession(session.id));
  await waitFor(() => expect(result.current.error?.code).toBe('SESSION_NOT_FOUND'));
  expect(result.current.session).toBeUndefined();
});

test('opens the session again for the next component, without the error of an earlier attempt', async () => {
  const store = createMemoryStore();
  const stored = newSession(agentWith(client, { store }));
  await stored.send('Hi');
  await stored.flushed();

  let isMissing = true;
  const read: typeof store.read = async (id) => (isMissing ? undefined : store.read(id));
  const wrapper = around(agentWith(client, { store: { ...store, read } }));
  const first = renderHook(() => useSession(stored.id), { wrapper });
  await waitFor(() => expect(first.result.current.error?.code).toBe('SESSION_NOT_FOUND'));
  first.unmount();
  isMissing = false;
  const errors: unknown[] = [];
  const second = renderHook(() => errors.push(useSession(stored.id).error), { wrapper });
  await waitFor(() => expect(errors.length).toBeGreaterThan(1));
  expect(new Set(errors)).toEqual(new Set([undefined]));
  second.unmount();
});

test('opens the session again with the next action after a failed attempt', async () => {
  const store = createMemoryStore();
  const stored = newSession(agentWith(client, { store }));
  await stored.send('Hi');
  await stored.flushed();

  let isBlocked = true;
  const read: typeof store.read = (id) =>
    isBlocked
      ? Promise.reject(new AgentError('Another tab blocks the database.', { code: 'STORAGE_BLOCKED' }))
      : store.read(id);
  const agent = agentWith(client, { store: { ...store, read } });
  const { result } = renderHook(() => useChat({ sessionId: stored.id }), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.error?.code).toBe('STORAGE_BLOCKED'));
  expect(result.current).toMatchObject({ messages: [], isLoading: false });
  isBlocked = false;
  await act(async () => expect(await result.current.send('Again')).toMatchObject({ outcome: 'completed' }));
  expect(result.current.error).toBeUndefined();
  expect(result.current.messages).toHaveLength(4);
});

test('returns no session and loads nothing without an id', () => {
  const { result } = renderHook(() => useSession(undefined), { wrapper: around(agentWith(client)) });
  expect(result.current).toEqual({ session: undefined, status: undefined, error: undefined, isLoading: false });
});
