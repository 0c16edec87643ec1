import { extractTextContent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/stored-session.ts';

export async function check({ openLatest }: typeof Solution): Promise<void> {
  const name = `skill-${crypto.randomUUID()}`;
  const client = createScriptedClient([[reply.text('A small stream.')]]);
  const first = await openLatest(client, name);
  expect(first.getMessages()).toEqual([]);
  await first.send('What is a brooklet?');
  await first.close();

  const second = await openLatest(createScriptedClient([]), name);
  expect(second.id).toBe(first.id);
  expect(second.getMessages().map((message) => extractTextContent(message))).toEqual([
    'What is a brooklet?',
    'A small stream.',
  ]);
  await second.close();
}
