import { act, renderHook } from '@testing-library/react';
import { useStorageStatus } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, newSession } from './stage.tsx';

test('returns whether the session is stored', async () => {
  const session = newSession(agentWith(createScriptedClient([]), { store: createMemoryStore() }));
  const { result } = renderHook(() => useStorageStatus(session));
  act(() => void session.addMessage({ role: 'user', content: 'Hi' }));
  expect(result.current).toEqual({ state: 'saving' });
  await act(() => session.flushed());
  expect(result.current).toEqual({ state: 'saved' });
});

test('renders for no other change than that of the selected value', async () => {
  const session = newSession(agentWith(createScriptedClient([]), { store: createMemoryStore() }));
  let count = 0;
  const { result } = renderHook(() => {
    count += 1;
    return useStorageStatus(session, ({ state }) => state === 'stale');
  });
  act(() => void session.addMessage({ role: 'user', content: 'Hi' }));
  await act(() => session.flushed());
  expect(result.current).toBe(false);
  expect(count).toBe(1);
});

test('returns undefined without a session', () => {
  expect(renderHook(() => useStorageStatus(undefined)).result.current).toBeUndefined();
});
