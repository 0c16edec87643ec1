import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/first-answer.ts';

export async function check({ ask }: typeof Solution): Promise<void> {
  const client = createScriptedClient([[reply.reasoning('Hm.'), reply.text('A small '), reply.text('stream.')]]);
  await expect(ask(client, 'What is a brooklet?')).resolves.toBe('A small stream.');
  expect(client.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'What is a brooklet?' }] }]);

  const refusing = createScriptedClient([[reply.fail('AUTHENTICATION_FAILED')]]);
  await expect(ask(refusing, 'And now?')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
}
