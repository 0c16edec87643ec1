import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createAgent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import { createGate } from '../../support/gate.ts';
import type * as Solution from '../solutions/react-chat.tsx';

export async function check({ Chat }: typeof Solution): Promise<void> {
  const never = createGate();
  const client = createScriptedClient([
    [reply.text('A small stream.')],
    [reply.text('Once upon'), reply.until(never.opened), reply.text(' a time')],
    [reply.fail('INSUFFICIENT_QUOTA', 'No credit.')],
  ]);
  render(
    <AgentProvider agent={createAgent({ client })}>
      <Chat />
    </AgentProvider>,
  );
  const input = screen.getByRole('textbox', { name: 'Message' });

  await userEvent.type(input, 'What is a brooklet?{Enter}');
  expect((await screen.findByText('A small stream.')).matches('p.assistant')).toBe(true);
  expect(screen.getByText('What is a brooklet?').matches('p.user')).toBe(true);

  await userEvent.type(input, 'A story, please.');
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
  await screen.findByText('Once upon');
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  await userEvent.type(input, 'A draft');
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  await screen.findByRole('button', { name: 'Send' });
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByDisplayValue('A draft')).toBe(input);
  expect(client.requests).toHaveLength(2);

  await userEvent.clear(input);
  await userEvent.type(input, 'Go on.{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('No credit.');
  // All in one conversation.
  await waitFor(() => expect(client.requests.at(-1)?.messages.length).toBeGreaterThan(3));
}
