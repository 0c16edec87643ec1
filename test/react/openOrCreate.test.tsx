import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { AgentError, extractTextContent } from 'brooklet';
import { useChat, useSession, useSuspenseSession } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Suspense } from 'react';
import { describe, expect, test } from 'vitest';
import { createGate } from '../support/gate.ts';
import { agentWith, around, newSession } from './stage.tsx';

const client = createScriptedClient(() => [reply.text('Hello.')]);

describe('`create`', () => {
  test('shows an empty chat for an id that was never stored, and the first message belongs to this id', async () => {
    const store = createMemoryStore();
    const agent = agentWith(client, { store });
    const { result } = renderHook(() => useChat({ sessionId: 'of-the-address', create: true }), {
      wrapper: around(agent),
      reactStrictMode: true,
    });
    await waitFor(() => expect(result.current.session?.id).toBe('of-the-address'));
    expect(result.current).toMatchObject({ messages: [], status: 'idle', error: undefined, isLoading: false });
    await act(async () => void (await result.current.send('Hi')));
    expect(result.current.messages.map((message) => extractTextContent(message))).toEqual(['Hi', 'Hello.']);
    await result.current.session?.flushed();
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(['of-the-address']);
  });

  test('holds for the components beside it that show the same session without it, in any order', async () => {
    for (const first of [true, false]) {
      const agent = agentWith(client, { store: createMemoryStore() });
      const { result } = renderHook(
        () => [useSession('a', { create: first }), useSession('a', { create: !first })] as const,
        { wrapper: around(agent) },
      );
      await waitFor(() => expect(result.current[0].session?.id).toBe('a'));
      expect(result.current[1]).toEqual(result.current[0]);
    }
  });

  test('shows that a removed session was removed, refuses to send, and makes no empty session of it', async () => {
    const store = createMemoryStore();
    const agent = agentWith(client, { store });
    const session = newSession(agent);
    await session.send('Hi');
    await session.flushed();
    const { result } = renderHook(() => useChat({ sessionId: session.id, create: true }), { wrapper: around(agent) });
    act(() => void agent.removeSession(session.id));
    await waitFor(() => expect(result.current.error?.code).toBe('SESSION_REMOVED'));
    expect(result.current.error?.message).toBe('This conversation was deleted. Start a new one.');
    expect(result.current.session).toBeUndefined();
    await act(async () => expect(await result.current.send('Hello?')).toBeUndefined());
    expect(result.current.error?.code).toBe('SESSION_REMOVED');
    expect((await store.list()).sessions).toEqual([]);
  });

  test('makes the session for a `send` while it is being opened', async () => {
    const agent = agentWith(client, { store: createMemoryStore() });
    const { result } = renderHook(() => useChat({ sessionId: 'a', create: true }), { wrapper: around(agent) });
    expect(result.current.isLoading).toBe(true);
    await act(async () => expect((await result.current.send('Hi'))?.outcome).toBe('completed'));
    expect(result.current.messages).toHaveLength(2);
  });

  test('suspends until the session is created', async () => {
    const agent = agentWith(client, { store: createMemoryStore() });
    const Show = () => <p>{useSuspenseSession('a', { create: true }).session?.id}</p>;
    await act(async () => {
      render(
        <Suspense fallback="waiting">
          <Show />
        </Suspense>,
        { wrapper: around(agent) },
      );
    });
    await screen.findByText('a');
  });

  test('does not hide the error of a store', async () => {
    const locked = new AgentError('The conversations are locked.', { code: 'STORAGE_LOCKED' });
    const store = { ...createMemoryStore(), read: () => Promise.reject(locked) };
    const { result } = renderHook(() => useChat({ sessionId: 'a', create: true }), {
      wrapper: around(agentWith(client, { store })),
    });
    await waitFor(() => expect(result.current.error).toBe(locked));
  });
});

test('without `create` an unknown session says what a person can do', async () => {
  const { result } = renderHook(() => useChat({ sessionId: 'gone' }), {
    wrapper: around(agentWith(client, { store: createMemoryStore() })),
  });
  await waitFor(() => expect(result.current.error?.code).toBe('SESSION_NOT_FOUND'));
  expect(result.current.error?.message).toBe(
    'This conversation is not stored here: it was made in another browser, or this one has erased it (Safari does so after seven days without a visit). Open a backup of it, or start a new one.',
  );
});

test('a damaged session shows what can be read, and says that it cannot be continued', async () => {
  const store = createMemoryStore();
  const stored = newSession(agentWith(client, { store }));
  await stored.send('Hi');
  await stored.flushed();
  const read: typeof store.read = async (...args) => {
    const found = await store.read(...args);
    return found && { ...found, damage: '2 of its events' };
  };
  const agent = agentWith(client, { store: { ...store, read } });
  const { result } = renderHook(() => useChat({ sessionId: stored.id, create: true }), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.messages).toHaveLength(2));
  expect(result.current.error).toMatchObject({
    code: 'STORAGE_CORRUPT',
    message: expect.stringMatching(/^A part of this conversation is damaged .*: start a new one, or fork this one\.$/),
  });
  await act(async () => expect(await result.current.send('Go on')).toBeUndefined());
  expect(result.current.error?.code).toBe('SESSION_READ_ONLY');
  // The refusal goes, the damage stays.
  act(() => result.current.clearError());
  expect(result.current.error?.code).toBe('STORAGE_CORRUPT');
});

describe('`onAccepted` of `send`', () => {
  test('is called before the answer, for the first message and for a queued one', async () => {
    const rest = createGate();
    const agent = agentWith(createScriptedClient(() => [reply.until(rest.opened), reply.text('Hello.')]));
    const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
    const accepted: string[] = [];
    let sent: readonly Promise<unknown>[] = [];
    await act(async () => {
      sent = [result.current.send('One', { onAccepted: () => accepted.push('One') })];
    });
    expect(accepted).toEqual(['One']);
    await act(async () => {
      const onAccepted = () => accepted.push('Two');
      sent = [...sent, result.current.send('Two', { whenBusy: 'queue', onAccepted })];
    });
    expect(accepted).toEqual(['One', 'Two']);
    expect(result.current.queue).toHaveLength(1);
    rest.open();
    await act(async () => void (await Promise.all(sent)));
    expect(accepted).toEqual(['One', 'Two']);
  });

  test('is not called for a message that is refused, nor for one whose signal has aborted', async () => {
    const rest = createGate();
    const agent = agentWith(
      createScriptedClient(() => [reply.until(rest.opened)]),
      { store: createMemoryStore() },
    );
    const session = newSession(agent);
    const { result } = renderHook(() => useChat({ sessionId: session.id }), { wrapper: around(agent) });
    const missing = renderHook(() => useChat({ sessionId: 'gone' }), { wrapper: around(agent) });
    const accepted: string[] = [];
    const onAccepted = () => void accepted.push('one');
    await act(async () => {
      await result.current.send('  ', { onAccepted });
      await result.current.send('Aborted', { onAccepted, signal: AbortSignal.abort() });
      await missing.result.current.send('To a missing session', { onAccepted });
      void result.current.send('Taken');
      await result.current.send('During a run', { onAccepted });
    });
    expect(accepted).toEqual([]);
    expect(result.current.error?.code).toBe('SESSION_BUSY');
    await act(async () => {
      result.current.stop();
      rest.open();
    });
  });

  test('is not called for a first message that is refused', async () => {
    const agent = agentWith(client);
    const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
    const accepted: string[] = [];
    await act(async () => void (await result.current.send('', { onAccepted: () => void accepted.push('one') })));
    expect(accepted).toEqual([]);
  });
});
