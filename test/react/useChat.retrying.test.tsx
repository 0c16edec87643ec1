import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { createAgent } from '../../src/core/agent/create-agent.ts';
import { createChatCompletionsClient } from '../../src/llm/wires/chat-completions/client.ts';
import { AgentProvider } from '../../src/react/AgentProvider.tsx';
import { useChat } from '../../src/react/useChat.ts';

test('shows the request that waits for its next attempt, until it is stopped', async () => {
  const client = createChatCompletionsClient({
    baseURL: 'https://api.test/v1',
    model: 'm',
    fetch: async () => new Response('', { status: 503 }),
    // No delay ends.
    delay: () => () => {},
  });
  const agent = createAgent({ client });
  const sessionId = agent.createSession();
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <AgentProvider agent={agent}>{children}</AgentProvider>
  );
  const { result } = renderHook(() => useChat({ sessionId }), { wrapper });
  expect(result.current.retrying).toBeUndefined();
  act(() => void result.current.send('Hi'));
  await expect.poll(() => result.current.retrying).toMatchObject({ attempt: 2, attempts: 3, error: { status: 503 } });
  act(() => result.current.stop());
  expect(result.current.retrying).toBeUndefined();
  expect(result.current.status).toBe('idle');
});
