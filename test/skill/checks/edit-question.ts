import { createAgent, extractTextContent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/edit-question.ts';

export async function check({ rephrase }: typeof Solution): Promise<void> {
  const client = createScriptedClient([
    [reply.text('Hello.')],
    [reply.text('A kind of bread.')],
    [reply.text('A small stream.')],
  ]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  await session.send('Hi');
  await session.send('What is a brocklet?');
  await expect(rephrase(session, 'What is a brooklet?')).resolves.toBe('A small stream.');

  const texts = () => session.getMessages().map((message) => extractTextContent(message));
  expect(texts()).toEqual(['Hi', 'Hello.', 'What is a brooklet?', 'A small stream.']);
  const question = session.getMessages()[2]?.id ?? '';
  expect(session.alternatives(question)).toMatchObject({ count: 2, index: 1 });
  await session.selectAlternative(question, 0);
  expect(texts()).toEqual(['Hi', 'Hello.', 'What is a brocklet?', 'A kind of bread.']);
}
