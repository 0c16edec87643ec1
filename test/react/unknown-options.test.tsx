import { renderHook } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { AgentProvider, useChat, useSession, useSuspenseSession } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import type { ReactNode } from 'react';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { hooks } from '../support/option-takers.ts';
import { untyped } from '../support/untyped.ts';

const agent = createAgent({ client: createScriptedClient([]), store: createMemoryStore() });
const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <AgentProvider agent={agent}>{children}</AgentProvider>
);
const some = untyped({ zzUnknown: 1 });

const calls: Readonly<Record<string, () => unknown>> = {
  'react useChat': function useOne() {
    return useChat(some);
  },
  'react useSession': function useOne() {
    return useSession('a', some);
  },
  'react useSuspenseSession': function useOne() {
    return useSuspenseSession('a', some);
  },
  'react-lists useSessions': function useOne() {
    return useSessions(some);
  },
};

test.each(Object.entries(calls))('an option of an unknown name is refused by %s', (name, hook) => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {});
  const owner = name.replace(/^.* /, '');
  expect(() => renderHook(hook, { wrapper })).toThrow(`unknown option "zzUnknown" of ${owner}.`);
  quiet.mockRestore();
});

test('an option of an unknown name is the `error` of useChat where it was passed to an action', async () => {
  expect(hooks).toEqual([...Object.keys(calls), 'react ChatActions.send']);
  const { result } = renderHook(() => useChat(), { wrapper });
  await act(() => result.current.send('Hi', untyped({ maxIterations: 1 })));
  expect(result.current.error?.message).toBe('unknown option "maxIterations" of send. Did you mean "maxSteps"?');
  await act(() => result.current.approve('c', untyped({ zzUnknown: 1 })));
  expect(result.current.error?.code).toBe('INVALID_CONFIG');
});
