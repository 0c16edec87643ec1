import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { AgentProvider, useAgent, useSessions } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test, vi } from 'vitest';
import { agentWith, around } from './stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

test('gives the agent to the components below', () => {
  const agent = agentWith(client);
  const { result } = renderHook(() => useAgent(), { wrapper: around(agent) });
  expect(result.current).toBe(agent);
});

test('an inner provider wins', () => {
  const [outer, inner] = [agentWith(client), agentWith(client)];
  const { result } = renderHook(() => useAgent(), {
    wrapper: ({ children }) => (
      <AgentProvider agent={outer}>
        <AgentProvider agent={inner}>{children}</AgentProvider>
      </AgentProvider>
    ),
  });
  expect(result.current).toBe(inner);
});

test('hooks outside of it say what is missing', () => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => renderHook(() => useAgent())).toThrow(/AgentProvider/);
  silenced.mockRestore();
});

test('uses the QueryClient that it is given, else the one above, else its own', async () => {
  const agent = agentWith(client, { store: createMemoryStore() });
  const [given, above] = [new QueryClient(), new QueryClient()];
  const show = async (queryClient?: QueryClient): Promise<void> => {
    const { result, unmount } = renderHook(() => useSessions(), {
      wrapper: ({ children }) => (
        <QueryClientProvider client={above}>
          <AgentProvider agent={agent} {...(queryClient && { queryClient })}>
            {children}
          </AgentProvider>
        </QueryClientProvider>
      ),
    });
    await waitFor(() => expect(result.current.isLoading).toBe(false));
    unmount();
  };
  await show(given);
  expect(given.getQueryCache().getAll()).toHaveLength(1);
  expect(above.getQueryCache().getAll()).toHaveLength(0);
  await show();
  expect(above.getQueryCache().getAll()).toHaveLength(1);

  const { result } = renderHook(() => useSessions(), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
});
