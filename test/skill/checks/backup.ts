import { createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/backup.ts';

export async function check({ backUp, restore }: typeof Solution): Promise<void> {
  const [store, other] = [createMemoryStore(), createMemoryStore()];
  const agent = createAgent({ client: createScriptedClient(() => [reply.text('Noted.')]), store });
  for (const text of ['Water the plants', 'Feed the cat']) {
    const session = await agent.openSession(agent.createSession());
    await session.send(text);
    await session.close();
  }
  const file = await backUp(store);
  await expect(restore(other, file)).resolves.toBe(2);
  const { sessions } = await other.list();
  expect(sessions.map(({ title }) => title).toSorted()).toEqual(['Feed the cat', 'Water the plants']);
  const [read, original] = [await other.read(sessions[0]?.id ?? ''), await store.read(sessions[0]?.id ?? '')];
  const types = original?.events.map(({ type }) => type) ?? [];
  expect(read?.events.map(({ type }) => type)).toEqual([...types, 'session.imported']);

  await expect(restore(other, file)).resolves.toBe(0);
  expect((await other.list()).sessions).toHaveLength(2);
}
