import { createAgent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/typed-answer.ts';

export async function check({ readInvoice }: typeof Solution): Promise<void> {
  const client = createScriptedClient([
    [reply.text('{"number":"A-17","total":20}')],
    [reply.text('{"number":"A-18","total":"twenty"}')],
    [reply.fail('RATE_LIMIT_EXCEEDED')],
  ]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  await expect(readInvoice(session, 'Invoice A-17, 20 €')).resolves.toEqual({ number: 'A-17', total: 20 });
  const output = JSON.stringify(client.requests[0]?.output);
  for (const word of ['number', 'total']) expect(output).toContain(word);
  await expect(readInvoice(session, 'Invoice A-18')).rejects.toMatchObject({ code: 'INVALID_OUTPUT' });
  await expect(readInvoice(session, 'Invoice A-19')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
}
