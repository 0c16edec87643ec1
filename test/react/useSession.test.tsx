import { act, renderHook, waitFor } from '@testing-library/react';
import { AgentError, extractTextContent, type Message, type SessionEvent, type SessionStore } from 'brooklet';
import { useChat, useSession } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
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
  await waitFor(() => expect(result.current.error?.code).toBe('SESSION_REMOVED'));
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

describe('a long session that the store reads in two steps', () => {
  /** A store with a session of 40 messages. `open` lets it return the whole session. */
  async function storeOfTwoSteps(readEnd: (events: readonly SessionEvent[]) => Promise<readonly SessionEvent[]>) {
    const memory = createMemoryStore();
    const talk = newSession(
      agentWith(
        createScriptedClient(() => [reply.text('Yes.')]),
        { store: memory },
      ),
    );
    for (let turn = 1; turn <= 20; turn++) await talk.send(`Message ${turn}`);
    await talk.flushed();
    const stored = await memory.read(talk.id);
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const asked: string[] = [];
    const store: SessionStore = {
      ...memory,
      async read(...args) {
        asked.push('read');
        await opened;
        return memory.read(...args);
      },
      readLatest() {
        asked.push('readLatest');
        return readEnd(stored?.events.slice(-20) ?? []);
      },
    };
    return { store, id: talk.id, open, asked };
  }
  const textsOf = (messages: readonly Message[] | undefined) => messages?.map(extractTextContent);

  test('shows its last messages first, and then all', async () => {
    const { store, id, open, asked } = await storeOfTwoSteps((events) => Promise.resolve(events));
    const { result } = renderHook(() => ({ chat: useChat({ sessionId: id }), session: useSession(id) }), {
      wrapper: around(agentWith(client, { store })),
      reactStrictMode: true,
    });
    expect(result.current.session.latestMessages).toBeUndefined();
    await waitFor(() => expect(textsOf(result.current.chat.messages)).toContain('Message 20'));
    const { chat, session } = result.current;
    expect(textsOf(chat.messages)).toEqual(['Message 18', 'Yes.', 'Message 19', 'Yes.', 'Message 20', 'Yes.']);
    expect(session.latestMessages).toEqual(chat.messages);
    expect([chat.isLoading, chat.session, chat.status]).toEqual([true, undefined, 'idle']);
    expect(asked).toEqual(['readLatest', 'read']);

    open();
    await waitFor(() => expect(result.current.chat.messages).toHaveLength(40));
    expect(result.current.chat.messages.slice(-6)).toEqual(chat.messages);
    expect(result.current.session).toMatchObject({ isLoading: false, latestMessages: undefined });
  });

  test('is opened where its end cannot be read', async () => {
    const { store, id, open } = await storeOfTwoSteps(() => Promise.reject(new Error('The disk is gone.')));
    open();
    const { result } = renderHook(() => useChat({ sessionId: id }), { wrapper: around(agentWith(client, { store })) });
    await waitFor(() => expect(result.current.messages).toHaveLength(40));
    expect(result.current.error).toBeUndefined();
  });

  test('sends a message only after all of it was read', async () => {
    const { store, id, open } = await storeOfTwoSteps((events) => Promise.resolve(events));
    const agent = agentWith(client, { store });
    const { result } = renderHook(() => useChat({ sessionId: id }), { wrapper: around(agent) });
    await waitFor(() => expect(result.current.messages).toHaveLength(6));
    const sending = result.current.send('And now?');
    open();
    await act(() => sending);
    expect(client.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(21);
  });
});
