import { act, renderHook, waitFor } from '@testing-library/react';
import { useReview } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { agentWith, around, newSession } from './stage.tsx';

async function stage() {
  const store = createMemoryStore();
  const agent = agentWith(
    createScriptedClient(() => [reply.text('Yes.')]),
    { store },
  );
  const session = newSession(agent);
  await session.send('1?');
  await session.flushed();
  return { agent, session, store };
}

describe('useReview', () => {
  test('loads a stored session, shows its position, and follows it', async () => {
    const { agent, session } = await stage();
    const { result, unmount } = renderHook(() => useReview(session.id), { wrapper: around(agent) });
    expect(result.current).toEqual({ review: undefined, view: undefined, error: undefined, isLoading: true });
    await waitFor(() => expect(result.current.view?.state.messages).toHaveLength(2));
    act(() => void result.current.review?.goTo({ step: 0 }));
    expect(result.current.view?.event?.type).toBe('reply.started');
    const { review } = result.current;
    await act(async () => {
      await session.send('2?');
      await session.flushed();
    });
    await waitFor(() => expect(result.current.review?.runs[1]?.outcome).toBe('completed'));
    expect(result.current.review).not.toBe(review);
    expect(result.current.view?.event?.type).toBe('reply.started');
    act(() => result.current.review?.play());
    const last = result.current.review;
    unmount();
    expect(last?.getView().isPlaying).toBe(false);
  });

  test('reviews a log without an agent', async () => {
    const { session, store } = await stage();
    const events = (await store.read(session.id))?.events;
    const { result } = renderHook(() => useReview(events));
    await waitFor(() => expect(result.current.review?.steps).toHaveLength(1));
  });

  test('returns why there is nothing to review', async () => {
    const { agent } = await stage();
    const missing = renderHook(() => useReview('none'), { wrapper: around(agent) });
    await waitFor(() => expect(missing.result.current.error?.code).toBe('SESSION_NOT_FOUND'));
    expect(missing.result.current.isLoading).toBe(false);
    const storeless = renderHook(() => useReview('none'));
    await waitFor(() => expect(storeless.result.current.error?.code).toBe('INVALID_CONFIG'));
    const nothing = renderHook(() => useReview(undefined));
    expect(nothing.result.current).toMatchObject({ review: undefined, isLoading: false });
  });
});
