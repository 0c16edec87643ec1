import { act, renderHook, waitFor } from '@testing-library/react';
import { AgentError } from 'brooklet';
import { useChat } from 'brooklet/react';
import { expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { agentWith, around, newSession } from './stage.tsx';

test('shows a run that was cut, that it goes on by itself, and that a person ends the wait', async () => {
  const client = createManualClient();
  const ports = createManualPorts();
  const agent = agentWith(client, { ports, autoResume: true });
  const { id: sessionId } = newSession(agent);
  const { result } = renderHook(() => useChat({ sessionId }), { wrapper: around(agent) });
  const cut = (): Promise<void> =>
    act(async () => {
      client.last().chunks.error(new AgentError('The connection was lost.', { code: 'STREAM_INTERRUPTED' }));
      await settled();
    });
  const pass = (ms: number): Promise<void> =>
    act(async () => {
      ports.pass(ms);
      await settled();
    });

  await act(async () => {
    void result.current.send('Hello');
    await settled();
  });
  expect([result.current.isCut, result.current.resuming]).toEqual([false, undefined]);
  await cut();
  expect(result.current).toMatchObject({ isCut: true, status: 'interrupted', resuming: { attempt: 1, attempts: 2 } });
  await pass(1_000);
  expect(result.current).toMatchObject({ isCut: false, status: 'running', resuming: undefined });
  await cut();
  expect(result.current.resuming).toMatchObject({ attempt: 2 });
  act(() => result.current.stop());
  expect(result.current).toMatchObject({ isCut: true, resuming: undefined });
  await pass(60_000);
  expect(client.asked).toHaveLength(2);
  act(() => void result.current.resume());
  await waitFor(() => expect(client.asked).toHaveLength(3));
  await act(async () => {
    say(client.last(), 'Here.');
    await settled();
  });
  expect(result.current).toMatchObject({ isCut: false, status: 'idle' });
});
