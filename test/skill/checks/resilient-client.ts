import { createAgent, extractTextContent } from 'brooklet';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import { expect } from 'vitest';
import type * as Solution from '../solutions/resilient-client.ts';

export async function check({ createResilientClient }: typeof Solution): Promise<void> {
  const answer = async (...scripts: readonly Script[]) => {
    const first = createScriptedClient(scripts);
    const second = createScriptedClient([[reply.text('The second one.')]]);
    const agent = createAgent({ client: createResilientClient(first, second) });
    const session = await agent.openSession(agent.createSession());
    const { message } = await session.send('Who are you?');
    return { text: message && extractTextContent(message), requests: [first.requests.length, second.requests.length] };
  };
  const busy: Script = [reply.fail('OVERLOADED')];
  expect(await answer([reply.text('The first one.')])).toEqual({ text: 'The first one.', requests: [1, 0] });
  expect(await answer(busy, [reply.text('At last.')])).toEqual({ text: 'At last.', requests: [2, 0] });
  expect(await answer(busy, busy, busy)).toEqual({ text: 'The second one.', requests: [3, 1] });
  expect(await answer([reply.fail('AUTHENTICATION_FAILED')])).toEqual({ text: 'The second one.', requests: [1, 1] });
}
