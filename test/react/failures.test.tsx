import { act, renderHook, waitFor } from '@testing-library/react';
import { AgentError, createAgent, type SessionStore } from 'brooklet';
import {
  useAlternatives,
  useApprovals,
  useCallInput,
  useChat,
  useContextReport,
  useMessage,
  useMessageIds,
  useMessages,
  useOutput,
  usePendingCalls,
  useReview,
  useSession,
  useStorageStatus,
  useStreamingText,
  useSuspenseSession,
  useUsage,
} from 'brooklet/react';
import { useApprovalRules, useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { StrictMode, Suspense } from 'react';
import { describe, expect, test } from 'vitest';
import { recorded } from '../support/stage.ts';
import { agentWith, around, aroundLists, newSession } from './stage.tsx';

/** A file that was moved after it was chosen. */
const moved = Object.assign(new File(['x'], 'gone.png', { type: 'image/png' }), {
  arrayBuffer: () => Promise.reject(new DOMException('It was moved.', 'NotReadableError')),
});

type Chat = ReturnType<typeof useChat>;

describe('an action of useChat that is refused', () => {
  const refusals: readonly (readonly [
    verb: string,
    act: (chat: Chat) => Promise<unknown>,
    refused: unknown,
    code: string,
  ])[] = [
    ['send', ({ send }) => send(''), undefined, 'INVALID_INPUT'],
    ['send with files', ({ send }) => send('Look', { files: [moved] }), undefined, 'INVALID_INPUT'],
    ['attach', ({ attach }) => attach(moved), undefined, 'INVALID_INPUT'],
    ['edit', ({ edit }) => edit('none', 'x'), undefined, 'MESSAGE_NOT_FOUND'],
    ['regenerate', ({ regenerate }) => regenerate('none'), undefined, 'MESSAGE_NOT_FOUND'],
    ['resume', ({ resume }) => resume(), undefined, 'NOTHING_TO_RESUME'],
    ['fork', ({ fork }) => fork('none'), undefined, 'MESSAGE_NOT_FOUND'],
    ['selectAlternative', (chat) => chat.selectAlternative('none', 1), false, 'MESSAGE_NOT_FOUND'],
    ['approve', ({ approve }) => approve('none'), false, 'CALL_NOT_FOUND'],
    ['reject', ({ reject }) => reject('none'), false, 'CALL_NOT_FOUND'],
    ['answer', ({ answer }) => answer('none', 1), false, 'CALL_NOT_FOUND'],
  ];

  test.each(refusals)('%s: resolves, and its reason is in error and in onError', async (_verb, verb, refused, code) => {
    const agent = agentWith(createScriptedClient(() => [reply.text('Yes.')]));
    const session = newSession(agent);
    const told: string[] = [];
    const { result } = renderHook(
      () => useChat({ sessionId: session.id, onError: ({ code: toldCode }) => told.push(toldCode) }),
      { wrapper: around(agent) },
    );
    expect(await act(() => verb(result.current))).toBe(refused);
    expect(result.current.error?.code).toBe(code);
    expect(told).toEqual([code]);
    act(() => result.current.clearError());
    expect(result.current.error).toBeUndefined();
  });

  test('unqueue: resolves to false for a message that does not wait any more', async () => {
    const { tool } = recorded('work', { needsApproval: true });
    const client = createScriptedClient([[reply.call('work', {})], [reply.text('Done.')], [reply.text('Two.')]]);
    const { result } = renderHook(() => useChat(), { wrapper: around(agentWith(client, { tools: [tool] })) });
    await act(async () => void result.current.send('One'));
    await waitFor(() => expect(result.current.approvals).toHaveLength(1));
    await act(async () => void result.current.send('Two', { whenBusy: 'queue' }));
    await waitFor(() => expect(result.current.queue).toHaveLength(1));
    const id = result.current.queue[0]?.message.id ?? '';
    const removed = await act(() => Promise.all([result.current.unqueue(id), result.current.unqueue(id)]));
    expect(removed).toEqual([true, false]);
    expect(result.current.error).toBeUndefined();
    expect(result.current.queue).toEqual([]);
  });

  test('the list of refusals has every action that can be refused', () => {
    const { result } = renderHook(() => useChat(), { wrapper: around(agentWith(createScriptedClient([]))) });
    const verbs = Object.entries(result.current).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    );
    const known = new Set([...refusals.map(([verb]) => verb), 'unqueue', 'stop', 'clearError', 'alternatives']);
    expect(verbs.filter((verb) => !known.has(verb))).toEqual([]);
  });
});

/** A store that refuses everything. */
function createBrokenStore(): SessionStore {
  const fail = (): Promise<never> => Promise.reject(new AgentError('The disk is broken.', { code: 'STORAGE_FAILED' }));
  return {
    ...createMemoryStore(),
    list: fail,
    read: fail,
    write: fail,
    remove: fail,
    restore: fail,
    wasRemoved: fail,
    meta: { get: fail, update: fail },
  };
}

describe('a store that refuses everything', () => {
  test('makes no hook throw, and its error is given to each component', async () => {
    const agent = agentWith(
      createScriptedClient(() => [reply.text('Yes.')]),
      { store: createBrokenStore() },
    );
    const Lists = aroundLists(agent);
    const created = newSession(agent);
    const { result } = renderHook(
      () => ({
        chat: useChat({ sessionId: 'stored' }),
        session: useSession('stored'),
        review: useReview('stored'),
        sessions: useSessions(),
        rules: useApprovalRules(),
        pending: usePendingCalls(),
        storage: useStorageStatus(created),
        // A component that shows no session, as none could be opened.
        rest: [
          useMessages(undefined),
          useMessageIds(undefined),
          useMessage(undefined, 'none'),
          useAlternatives(undefined, 'none').ids,
          useApprovals(undefined),
          useStreamingText(undefined),
          useUsage(undefined).input,
          useContextReport(undefined),
        ],
      }),
      {
        wrapper: ({ children }) => (
          <StrictMode>
            <Lists>{children}</Lists>
          </StrictMode>
        ),
      },
    );
    await act(async () => void created.send('Hi'));
    await waitFor(() => {
      const { chat, session, review, sessions, rules } = result.current;
      const given = { chat, session, review, sessions, rules };
      expect(Object.fromEntries(Object.entries(given).map(([name, { error }]) => [name, error?.code]))).toEqual({
        chat: 'STORAGE_FAILED',
        session: 'STORAGE_FAILED',
        review: 'STORAGE_FAILED',
        sessions: 'STORAGE_FAILED',
        rules: 'STORAGE_FAILED',
      });
    });
    await waitFor(() =>
      expect(result.current.storage).toMatchObject({ state: 'failed', error: { code: 'STORAGE_FAILED' } }),
    );
    expect(result.current.rest).toEqual([[], [], undefined, [], [], undefined, 0, undefined]);
    expect(result.current.pending).toEqual([]);
  });

  test('is the error of the component that waited for its session', async () => {
    const agent = agentWith(createScriptedClient([]), { store: createBrokenStore() });
    const { result } = renderHook(() => useSuspenseSession('stored'), {
      wrapper: ({ children }) => {
        const Around = around(agent);
        return (
          <Around>
            <Suspense fallback={null}>{children}</Suspense>
          </Around>
        );
      },
    });
    await waitFor(() => expect(result.current?.error?.code).toBe('STORAGE_FAILED'));
    expect(result.current.session).toBeUndefined();
  });

  test('refuses each action of useSessions, and none rejects', async () => {
    const { list } = createMemoryStore();
    const agent = agentWith(createScriptedClient([]), { store: { ...createBrokenStore(), list } });
    const { result } = renderHook(() => useSessions(), { wrapper: aroundLists(agent) });
    await waitFor(() => expect(result.current.isLoading).toBe(false));
    const { current } = result;
    const actions: readonly (readonly [string, () => unknown])[] = [
      ['rename', () => current.rename('s', 'x')],
      ['setMetadata', () => current.setMetadata('s', { pinned: true })],
      ['restore', () => current.restore('s')],
      ['exportSessions', () => current.exportSessions({ sessionIds: ['s'] })],
      ['remove', () => current.remove('s')],
    ];
    for (const [name, action] of actions) {
      await act(async () => void (await action()));
      await waitFor(() => expect([name, result.current.error?.code]).toEqual([name, 'STORAGE_FAILED']));
    }
  });
});

describe('what a model writes', () => {
  test('makes no hook throw, whatever it is', async () => {
    const texts = ['{"name": ', 'no JSON', '[1, 2', '"', '{"a":{"b":[', '\u0000', '{}}'];
    const agent = createAgent({ client: createScriptedClient((_request, index) => [reply.text(texts[index] ?? '')]) });
    const session = newSession(agent);
    const output = { name: 'city', schema: { type: 'object' }, strict: false, read: () => Promise.resolve(1) } as const;
    const { result } = renderHook(() => ({
      output: useOutput(session, output),
      messages: useMessages(session),
      unknown: useMessage(session, 'none'),
    }));
    for (let turn = 0; turn < texts.length; turn++) {
      await act(async () => void (await session.send('Where?', { output })));
      expect(result.current.messages).toHaveLength(2 * (turn + 1));
      expect([undefined, 'object']).toContain(
        result.current.output === undefined ? undefined : typeof result.current.output,
      );
      expect(result.current.unknown).toBeUndefined();
    }
  });

  test('is no input of a call that could not be read', () => {
    const shown = (inputText: string) =>
      renderHook(() => useCallInput({ type: 'tool', callId: 'c', name: 'pay', inputText, status: 'streaming' })).result
        .current;
    expect(['{"to": "A', 'no JSON', '[1', ''].map(shown)).toEqual([{ to: 'A' }, undefined, undefined, undefined]);
  });
});
