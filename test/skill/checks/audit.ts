import { waitFor } from '@testing-library/dom';
import { createAgent, defineTool } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/audit.ts';

export async function check({ audit }: typeof Solution): Promise<void> {
  const input = { type: 'object', properties: {} } as const;
  const pay = defineTool({ name: 'pay', description: 'Pays.', input, needsApproval: true, execute: () => 'Paid.' });
  const store = createMemoryStore();
  const client = createScriptedClient([[reply.call('pay')], [reply.call('pay')], [reply.text('Done.')]]);
  const agent = createAgent({ client, tools: [pay], store });
  const session = await agent.openSession(agent.createSession());
  const done = session.send('Pay both.');
  await waitFor(() => expect(agent.getPending()).toHaveLength(1));
  await session.reject(agent.getPending()[0]?.call?.callId ?? '', { userName: 'Ada' });
  await waitFor(() => expect(agent.getPending()).toHaveLength(1));
  await session.approve(agent.getPending()[0]?.call?.callId ?? '', { userName: 'Grace' });
  await done;
  await session.flushed();

  await expect(audit(store, session.id)).resolves.toEqual([
    { tool: 'pay', verdict: 'rejected', userName: 'Ada' },
    { tool: 'pay', verdict: 'approved', userName: 'Grace' },
  ]);
  await expect(audit(store, 'nobody')).resolves.toEqual([]);
  expect(client.requests).toHaveLength(3);
}
