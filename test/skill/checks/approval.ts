import { waitFor } from '@testing-library/dom';
import { toolParts } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, vi } from 'vitest';
import type * as Solution from '../solutions/approval.ts';

export async function check({ createShop }: typeof Solution): Promise<void> {
  vi.stubGlobal('confirm', () => false);
  const charge = vi.fn(async (cents: number) => `Receipt for ${cents}`);
  const client = createScriptedClient([
    [reply.call('charge', { cents: 1_000 })],
    [reply.call('charge', { cents: 1_001 })],
    [reply.text('Thank you.')],
  ]);
  const agent = createShop(client, charge);
  const session = await agent.openSession(agent.createSession());
  const paid = session.send('I buy both.');
  await waitFor(() => expect(session.getStatus()).toBe('waiting'));
  expect(charge.mock.calls).toEqual([[1_000]]);

  const [pending] = agent.getPending();
  expect(pending?.call).toMatchObject({ name: 'charge', input: { cents: 1_001 } });
  await session.approve(pending?.call?.callId ?? '');
  await expect(paid).resolves.toMatchObject({ outcome: 'completed' });
  expect(charge.mock.calls).toEqual([[1_000], [1_001]]);
  expect(session.getMessages().flatMap(toolParts).at(-1)).toMatchObject({ output: 'Receipt for 1001' });
}
