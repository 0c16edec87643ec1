import { type Agent, createAgent, extractTextContent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/resume.ts';

/** More sessions than a page of the list has. */
const count = 120;

export async function check({ finishInterrupted }: typeof Solution): Promise<void> {
  const store = createMemoryStore();
  const cut = createAgent({ client: createScriptedClient(() => [reply.text('A small '), reply.cut()]), store });
  const whole = createAgent({ client: createScriptedClient(() => [reply.text('A brook.')]), store });
  const ask = async (agent: Agent): Promise<string> => {
    const session = await agent.openSession(agent.createSession());
    await session.send('What is a brooklet?');
    await session.close();
    return session.id;
  };
  const oldest = await ask(cut);
  for (let index = 0; index < count; index++) await ask(whole);
  const newest = await ask(cut);

  const client = createScriptedClient(() => [reply.text('stream.')]);
  const agent = createAgent({ client, store });
  await expect(finishInterrupted(agent)).resolves.toBe(2);
  expect(client.requests).toHaveLength(2);
  for (const id of [oldest, newest]) {
    const session = await agent.openSession(id);
    expect(session.getStatus()).toBe('idle');
    expect(session.getMessages().map((message) => extractTextContent(message))).toContain('stream.');
  }
}
