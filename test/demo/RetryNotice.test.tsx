import { act, fireEvent, render, screen } from '@testing-library/react';
import { AgentError, createAgent } from 'brooklet';
import { withFallback, withRetry } from 'brooklet/llm';
import { useObservable } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { MessagePart } from '../../demo/src/conversation/MessagePart.tsx';
import { RetryNotice } from '../../demo/src/conversation/RetryNotice.tsx';

test('shows when a request is retried, which attempt it is and why, and stops the retries', () => {
  const stop = vi.fn<() => void>();
  const error = new AgentError('429 from api.test: too many requests.', { code: 'RATE_LIMIT_EXCEEDED' });
  render(<RetryNotice retry={{ sessionId: 's', attempt: 2, attempts: 4, ms: 3_600_000, error }} onStop={stop} />);
  expect(screen.getByText(/in \d+ s/)).toBeTruthy();
  expect(screen.getByText(/\(2 of 4\)/)).toBeTruthy();
  expect(screen.getByText(error.message)).toBeTruthy();
  // The status is announced once: the seconds are not part of it.
  expect(screen.getByRole('status').textContent).toBe('Trying again automatically');
  fireEvent.click(screen.getByRole('button', { name: 'Stop trying' }));
  expect(stop).toHaveBeenCalledOnce();
});

test('appears with the failure, and disappears when the run is stopped', async () => {
  const busy = createScriptedClient(() => [reply.fail('RATE_LIMIT_EXCEEDED', 'Busy.')]);
  // The retry never starts.
  const client = withRetry(busy, { delay: () => () => {} });
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  function Page(): ReactElement {
    const retry = useObservable(client.retries$, client.getRetries).get(session.id);
    return <>{retry && <RetryNotice retry={retry} onStop={session.cancel} />}</>;
  }
  render(<Page />);
  expect(screen.queryByText('Busy.')).toBeNull();
  let sent: Promise<unknown> = Promise.resolve();
  act(() => void (sent = session.send('Hi')));
  await screen.findByText('Busy.');
  fireEvent.click(screen.getByRole('button', { name: 'Stop trying' }));
  await act(async () => void (await sent));
  expect(screen.queryByText('Busy.')).toBeNull();
  expect(session.getState().run?.outcome).toBe('cancelled');
});

test('shows that the fallback model answered, and why', async () => {
  const client = withFallback([
    createScriptedClient(() => [reply.fail('OVERLOADED', 'The river is full.')]),
    createScriptedClient(() => [reply.text('I am the fallback.')]),
  ]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const { message } = await session.send('Hi');
  render(
    <>
      {message?.content.map((part, at) => (
        <MessagePart key={at} session={session} part={part} isGrowing={false} isUnfinished={false} />
      ))}
    </>,
  );
  expect(screen.getByText('Answered by the fallback model')).toBeTruthy();
  expect(screen.getByText(/The river is full\./)).toBeTruthy();
  expect(screen.getByText('I am the fallback.')).toBeTruthy();
});
