import { waitFor } from '@testing-library/dom';
import { createAgent, extractTextContent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import { createGate } from '../../support/gate.ts';
import type * as Solution from '../solutions/queue.ts';

export async function check({ sendLater }: typeof Solution): Promise<void> {
  const rest = createGate();
  const client = createScriptedClient([
    [reply.text('On Saturday '), reply.until(rest.opened), reply.text('it rains.')],
    [reply.text('On Sunday it does not.')],
  ]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const first = sendLater(session, 'And on Saturday?');
  await waitFor(() => expect(session.getStatus()).toBe('running'));
  const second = sendLater(session, 'And on Sunday?');
  rest.open();
  await expect(first).resolves.toMatchObject({ outcome: 'completed' });
  await expect(second).resolves.toMatchObject({ outcome: 'completed' });
  expect(session.getMessages().map((message) => extractTextContent(message))).toEqual([
    'And on Saturday?',
    'On Saturday it rains.',
    'And on Sunday?',
    'On Sunday it does not.',
  ]);
}
