import { defineTool } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/limits.ts';

export async function check({ createFrugalAgent }: typeof Solution): Promise<void> {
  const look = defineTool({
    name: 'look',
    description: 'Looks around.',
    input: { type: 'object', properties: {} },
    execute: () => 'Nothing.',
  });
  const client = createScriptedClient(() => [reply.call('look')]);
  const agent = createFrugalAgent(client, [look]);
  const session = await agent.openSession(agent.createSession());
  await expect(session.send('Search for ever.')).resolves.toMatchObject({ outcome: 'limit' });
  expect(client.requests).toHaveLength(3);
  await expect(session.resume()).resolves.toMatchObject({ outcome: 'limit' });
  expect(client.requests).toHaveLength(6);
}
