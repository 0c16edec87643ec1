import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { AgentError } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { useApprovalRules, useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test, vi } from 'vitest';
import { agentWith, around } from '../stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

test.each([
  ['useSessions', (): unknown => useSessions()],
  ['useApprovalRules', (): unknown => useApprovalRules()],
])('%s throws an error that names the missing QueryClientProvider', (name, useList) => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  const wrapper = around(agentWith(client));
  const show = (): unknown => renderHook(useList, { wrapper });
  expect(show).toThrow(AgentError);
  expect(show).toThrow(`${name} found no QueryClient`);
  expect(show).toThrow(/QueryClientProvider/);
  silenced.mockRestore();
});

test('uses the nearest QueryClient', async () => {
  const [outer, inner] = [new QueryClient(), new QueryClient()];
  const agent = agentWith(client, { store: createMemoryStore() });
  const { result } = renderHook(() => useSessions(), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={outer}>
        <AgentProvider agent={agent}>
          <QueryClientProvider client={inner}>{children}</QueryClientProvider>
        </AgentProvider>
      </QueryClientProvider>
    ),
  });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  expect(inner.getQueryCache().getAll()).toHaveLength(1);
  expect(outer.getQueryCache().getAll()).toHaveLength(0);
});
