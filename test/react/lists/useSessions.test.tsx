import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { AgentError, defineTool, type SessionSummary, type SessionStore } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Subject } from 'rxjs';
import { afterEach, expect, test, vi } from 'vitest';
import { callsAwaitingApproval } from '../../../src/core/model/status.ts';
import { createGate } from '../../support/gate.ts';
import { agentWith, aroundLists, newSession } from '../stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

afterEach(() => vi.useRealTimers());

const summary = (id: string, updatedAt: number): SessionSummary => ({
  id,
  title: `Title of ${id}`,
  createdAt: 0,
  updatedAt,
  status: 'idle',
  messageCount: 0,
  usage: { input: 0, output: 0 },
  seq: 1,
});

/** A store with `count` sessions, `s1` the oldest, that counts the reads of the list. */
async function storeOf(count: number): Promise<{ readonly store: SessionStore; readonly reads: () => number }> {
  const store = createMemoryStore();
  for (let i = 1; i <= count; i++) {
    await store.write({
      sessionId: `s${i}`,
      events: [],
      summary: summary(`s${i}`, i),
      expectedSeq: 0,
      durability: 'relaxed',
    });
  }
  let reads = 0;
  return { store: { ...store, list: (options) => ((reads += 1), store.list(options)) }, reads: () => reads };
}

const ids = (sessions: readonly SessionSummary[]): readonly string[] => sessions.map(({ id }) => id);

test('lists the stored sessions page by page, most recently changed first', async () => {
  const { store } = await storeOf(5);
  const { result } = renderHook(() => useSessions({ limit: 2 }), {
    wrapper: aroundLists(agentWith(client, { store })),
  });
  expect(result.current).toMatchObject({ sessions: [], hasStore: true, isLoading: true, hasMore: false });
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s5', 's4']));
  expect(result.current).toMatchObject({ isLoading: false, hasMore: true });
  act(() => result.current.loadMore());
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s5', 's4', 's3', 's2']));
  act(() => result.current.loadMore());
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s5', 's4', 's3', 's2', 's1']));
  expect(result.current.hasMore).toBe(false);
});

test('lists nothing without a store, and reports that there is none', () => {
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agentWith(client)) });
  expect(result.current).toMatchObject({ sessions: [], hasStore: false, isLoading: false, hasMore: false });
});

test('shows a new session at the top as soon as it is stored', async () => {
  const { store } = await storeOf(2);
  const agent = agentWith(client, { store });
  const { result } = renderHook(() => ({ chat: useChat(), list: useSessions() }), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(ids(result.current.list.sessions)).toEqual(['s2', 's1']));
  await act(async () => void (await result.current.chat.send('Hi')));
  await waitFor(() =>
    expect(result.current.list.sessions[0]).toMatchObject({ id: result.current.chat.sessionId, title: 'Hi' }),
  );
});

test('keeps the identity of unchanged summaries', async () => {
  const { store } = await storeOf(2);
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agentWith(client, { store })) });
  await waitFor(() => expect(result.current.sessions).toHaveLength(2));
  const [, s1] = result.current.sessions;
  await act(() =>
    store.write({
      sessionId: 's2',
      events: [],
      summary: { ...summary('s2', 9), seq: 2 },
      expectedSeq: 1,
      durability: 'relaxed',
    }),
  );
  await waitFor(() => expect(result.current.sessions[0]?.updatedAt).toBe(9));
  expect(result.current.sessions[1]).toBe(s1);
});

test('reads the list twice, not 100 times, for 100 changes in a row', async () => {
  const { store, reads } = await storeOf(1);
  const changes$ = new Subject<string>();
  const agent = agentWith(client, { store: { ...store, changes$ } });
  const { result } = renderHook(() => [useSessions(), useSessions()], { wrapper: aroundLists(agent) });
  await waitFor(() => expect(result.current[0]?.sessions).toHaveLength(1));
  expect(reads()).toBe(1);

  vi.useFakeTimers();
  for (let i = 0; i < 100; i++) {
    changes$.next('s1');
    await act(() => vi.advanceTimersByTimeAsync(2));
  }
  expect(reads()).toBe(2);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(reads()).toBe(3);
});

test('reads one row, so that the database is open, and no list if none is shown', async () => {
  const { store, reads } = await storeOf(1);
  const { result } = renderHook(() => useChat(), { wrapper: aroundLists(agentWith(client, { store })) });
  await act(async () => void (await result.current.send('Hi')));
  expect(reads()).toBe(1);
});

test('unsubscribes from the store on unmount', async () => {
  const { store } = await storeOf(1);
  const changes$ = new Subject<string>();
  const agent = agentWith(client, { store: { ...store, changes$ } });
  const { unmount } = renderHook(() => useSessions(), { wrapper: aroundLists(agent), reactStrictMode: true });
  expect(changes$.observed).toBe(true);
  unmount();
  expect(changes$.observed).toBe(false);
});

test('neither aborts the page that is loading nor loses the change when the store changes', async () => {
  const { store } = await storeOf(3);
  const slow = createGate();
  const changes$ = new Subject<string>();
  const list: SessionStore['list'] = async (options) => {
    if (options?.cursor !== undefined) await slow.opened;
    return store.list(options);
  };
  const agent = agentWith(client, { store: { ...store, list, changes$ } });
  const { result } = renderHook(() => useSessions({ limit: 1 }), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s3']));
  act(() => result.current.loadMore());
  await waitFor(() => expect(result.current.isLoadingMore).toBe(true));
  await store.remove('s3');
  act(() => changes$.next('s3'));
  expect(result.current.isLoadingMore).toBe(true);
  slow.open();
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s2', 's1']));
});

test('loads the next page without waiting for a refresh, and repeats the refresh', async () => {
  const { store } = await storeOf(2);
  const slow: Promise<void>[] = [];
  const changes$ = new Subject<string>();
  const list: SessionStore['list'] = async (options) => {
    const page = await store.list(options);
    if (options?.cursor === undefined) await Promise.all(slow);
    return page;
  };
  const agent = agentWith(client, { store: { ...store, list, changes$ } });
  const { result } = renderHook(() => useSessions({ limit: 1 }), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s2']));
  const refreshed = createGate();
  slow.push(refreshed.opened);
  await store.write({ sessionId: 's3', events: [], summary: summary('s3', 3), expectedSeq: 0, durability: 'relaxed' });
  act(() => changes$.next('s3'));
  act(() => result.current.loadMore());
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s2', 's1']));
  refreshed.open();
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s3', 's2']));
});

test('lists the sessions without a network', async () => {
  const { store } = await storeOf(1);
  onlineManager.setOnline(false);
  try {
    const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agentWith(client, { store })) });
    await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s1']));
  } finally {
    onlineManager.setOnline(true);
  }
});

test('lists what changed while no list was mounted, also in a QueryClient that considers its data fresh', async () => {
  const { store } = await storeOf(1);
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const wrapper = aroundLists(agentWith(client, { store }), queryClient);
  const first = renderHook(() => useSessions(), { wrapper });
  await waitFor(() => expect(ids(first.result.current.sessions)).toEqual(['s1']));
  first.unmount();
  await store.write({ sessionId: 's2', events: [], summary: summary('s2', 2), expectedSeq: 0, durability: 'relaxed' });
  const second = renderHook(() => useSessions(), { wrapper });
  await waitFor(() => expect(ids(second.result.current.sessions)).toEqual(['s2', 's1']));
});

test('removes a session', async () => {
  const { store } = await storeOf(2);
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agentWith(client, { store })) });
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s2', 's1']));
  act(() => result.current.remove('s2'));
  await waitFor(() => expect(ids(result.current.sessions)).toEqual(['s1']));
});

test('renames a session, and returns the error of a failed rename', async () => {
  const store = createMemoryStore();
  const agent = agentWith(client, { store });
  const { result } = renderHook(() => ({ chat: useChat(), list: useSessions() }), { wrapper: aroundLists(agent) });
  await act(async () => void (await result.current.chat.send('Hi')));
  await act(() => result.current.list.rename(result.current.chat.sessionId ?? '', 'Greetings'));
  await waitFor(() => expect(result.current.list.sessions[0]?.title).toBe('Greetings'));
  await act(() => result.current.list.rename('gone', 'Title'));
  expect(result.current.list.error?.code).toBe('SESSION_NOT_FOUND');
});

test('returns the error of the store', async () => {
  const error = new AgentError('The disk is gone.', { code: 'STORAGE_FAILED' });
  const store = { ...createMemoryStore(), list: () => Promise.reject(error) };
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agentWith(client, { store })) });
  await waitFor(() => expect(result.current.error).toBe(error));
  expect(result.current).toMatchObject({ sessions: [], isLoading: false });
});

test('keeps the lists of two agents in one QueryClient apart', async () => {
  const queryClient = new QueryClient();
  const [one, two] = [
    agentWith(client, { store: (await storeOf(1)).store }),
    agentWith(client, { store: (await storeOf(2)).store }),
  ];
  let agent = one;
  const { result, rerender } = renderHook(() => useSessions(), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queryClient}>
        <AgentProvider agent={agent}>{children}</AgentProvider>
      </QueryClientProvider>
    ),
  });
  await waitFor(() => expect(result.current.sessions).toHaveLength(1));
  agent = two;
  rerender();
  expect(result.current.sessions).toEqual([]);
  await waitFor(() => expect(result.current.sessions).toHaveLength(2));
});

test('lists a session as waiting while a call of it awaits a decision, with or without the session in memory', async () => {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: () => 'Paid.',
  });
  const script = createScriptedClient((_request, index) => (index % 2 ? [reply.text('Done.')] : [reply.call('pay')]));
  const store = createMemoryStore();
  const agent = agentWith(script, { store, tools: [pay] });
  const session = newSession(agent);
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agent) });
  const statuses = (): readonly string[] => result.current.sessions.map(({ status }) => status);
  let sent: Promise<unknown> = Promise.resolve();
  act(() => void (sent = session.send('Pay')));
  await waitFor(() => expect(statuses()).toEqual(['waiting']));

  const later = agentWith(script, { store, tools: [pay] });
  const afterReload = renderHook(() => useSessions(), { wrapper: aroundLists(later) });
  await waitFor(() => expect(afterReload.result.current.sessions.map(({ status }) => status)).toEqual(['waiting']));
  expect(later.getSession(session.id)).toBeUndefined();

  const [call] = callsAwaitingApproval(session.getState());
  await act(async () => {
    await session.approve(call?.callId ?? '');
    await sent;
  });
  await waitFor(() => expect(statuses()).toEqual(['idle']));
});

test('pins sessions by their metadata, and lists the pinned ones', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const [first, second] = [newSession(agent), newSession(agent)];
  for (const session of [first, second]) await session.send('Hello');
  const { result } = renderHook(() => ({ all: useSessions(), pinned: useSessions({ where: { pinned: true } }) }), {
    wrapper: aroundLists(agent),
  });
  await waitFor(() => expect(result.current.all.sessions).toHaveLength(2));
  await act(() => result.current.all.setMetadata(first.id, { pinned: true, colour: 'teal' }));
  await waitFor(() => expect(ids(result.current.pinned.sessions)).toEqual([first.id]));
  await act(() => result.current.all.setMetadata(first.id, { pinned: null }));
  await waitFor(() => expect(ids(result.current.pinned.sessions)).toEqual([]));
  expect(first.getState().metadata).toEqual({ colour: 'teal' });
  await act(() => result.current.all.setMetadata('gone', { pinned: true }));
  expect(result.current.all.error).toMatchObject({ code: 'SESSION_NOT_FOUND' });
});

test('lists the sessions that wait for a person, until they do not', async () => {
  const { store } = await storeOf(3);
  const waits: SessionSummary = { ...summary('s4', 4), status: 'waiting' };
  await store.write({ sessionId: 's4', events: [], summary: waits, expectedSeq: 0, durability: 'relaxed' });
  const agent = agentWith(client, { store });
  const { result } = renderHook(() => ({ all: useSessions(), waiting: useSessions({ waiting: true }) }), {
    wrapper: aroundLists(agent),
  });
  await waitFor(() => expect(ids(result.current.all.sessions)).toHaveLength(4));
  expect(ids(result.current.waiting.sessions)).toEqual(['s4']);
  const decided = { ...summary('s4', 5), seq: 2 };
  await act(() =>
    store.write({ sessionId: 's4', events: [], summary: decided, expectedSeq: 1, durability: 'relaxed' }),
  );
  await waitFor(() => expect(ids(result.current.waiting.sessions)).toEqual([]));
  expect(ids(result.current.all.sessions)).toEqual(['s4', 's3', 's2', 's1']);
});

test('exports and imports sessions, and returns the error of a failure', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const session = newSession(agent);
  await session.send('Hello');
  await session.flushed();
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(ids(result.current.sessions)).toEqual([session.id]));

  const file = await act(() => result.current.exportSessions());
  expect(await textOf(file)).toContain('"format":"brooklet"');
  expect(await act(() => result.current.exportSessions({ sessionIds: ['gone'] }))).toBeUndefined();
  expect(result.current.error).toMatchObject({ code: 'SESSION_NOT_FOUND' });

  const text = await textOf(file);
  const dry = await act(() => result.current.importSessions(text, { onConflict: 'copy', dryRun: true }));
  expect(dry).toMatchObject({ sessions: 1, problems: [], imported: [{ result: 'copied' }] });
  expect(result.current.error).toBeUndefined();
  expect(result.current.sessions).toHaveLength(1);
  await act(() => result.current.importSessions(text, { onConflict: 'copy' }));
  await waitFor(() => expect(result.current.sessions).toHaveLength(2));
  expect(await act(() => result.current.importSessions('nonsense'))).toMatchObject({ problems: [{ line: 1 }] });

  const aborted = AbortSignal.abort();
  expect(await act(() => result.current.importSessions(text, { signal: aborted }))).toBeUndefined();
  expect(result.current.error).toMatchObject({ code: 'ABORTED' });
});

test('without a store nothing can be exported', async () => {
  const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agentWith(client)) });
  expect(await act(() => result.current.exportSessions())).toBeUndefined();
  expect(result.current.error).toMatchObject({ code: 'INVALID_CONFIG' });
});

/** The text of a file; jsdom's `Blob` has no `text`. */
const textOf = (file: Blob | undefined): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsText(file ?? new Blob());
  });
