import { screen, waitFor } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { createAgent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import { createGate } from '../../support/gate.ts';
import type * as Solution from '../solutions/plain-chat.ts';

export async function check({ mountChat }: typeof Solution): Promise<void> {
  const [stopped, never] = [createGate(), createGate()];
  const client = createScriptedClient([
    [reply.text('A small stream.')],
    [reply.text('Once upon'), reply.until(never.opened), reply.text(' a time')],
    [reply.fail('INSUFFICIENT_QUOTA', 'No credit.')],
  ]);
  const agent = createAgent({ client, onError: stopped.open });
  const root = document.body.appendChild(document.createElement('main'));
  await mountChat(agent, root);
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Message' });

  await userEvent.type(input, 'What is a brooklet?{Enter}');
  expect((await screen.findByText('A small stream.')).matches('p.assistant')).toBe(true);
  expect(screen.getByText('What is a brooklet?').matches('p.user')).toBe(true);
  expect(input.value).toBe('');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());

  await userEvent.type(input, 'A story, please.');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Once upon');
  await userEvent.type(input, 'A draft');
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
  expect(screen.getByRole('alert').textContent).toBe('');
  expect(input.value).toBe('A draft');

  // A blank message is refused, and the page says so.
  await userEvent.clear(input);
  await userEvent.type(input, ' {Enter}');
  expect(client.requests).toHaveLength(2);

  await userEvent.clear(input);
  await userEvent.type(input, 'Go on.{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('No credit.'));
  root.remove();
}
