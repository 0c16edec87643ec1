import { act, renderHook, waitFor } from '@testing-library/react';
import { extractTextContent } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { say } from '../support/manual-client.ts';
import { until } from '../support/until.ts';
import { createWorkerWorld } from '../support/worker-world.ts';

test('`useChat` has the run of a worker as it has that of its page', async () => {
  const world = createWorkerWorld();
  const page = world.openPage();
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <AgentProvider agent={page.agent}>{children}</AgentProvider>
  );
  const { result } = renderHook(() => useChat(), { wrapper });
  let sent: Promise<unknown> = Promise.resolve();
  await act(async () => {
    sent = result.current.send('Hello');
  });
  await until(() => expect(world.client.asked).toHaveLength(1));
  await waitFor(() => expect(result.current.status).toBe('running'), { timeout: 20_000 });
  await act(async () => {
    say(world.client.last(), 'Hi');
    await sent;
  });
  expect(result.current.messages.map((message) => extractTextContent(message))).toEqual(['Hello', 'Hi']);
  expect(result.current).toMatchObject({ status: 'idle', outcome: 'completed', error: undefined });
  expect(page.client.asked).toEqual([]);
});
