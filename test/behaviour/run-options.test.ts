import { createAgent, defineOutput } from 'brooklet';
import { withRetry } from 'brooklet/llm';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';

function open(client = createScriptedClient([reply.text('From the agent.')])) {
  const agent = createAgent({
    client,
    model: 'own-model',
    maxTokens: 100,
    temperature: 1,
    providerParams: { own: true },
    instructions: 'Be brief.',
  });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('no session');
  return { client, session };
}

describe('one run', () => {
  test('may have another client, which uses its own model and parameters', async () => {
    const { client, session } = open();
    const other = createScriptedClient([reply.text('From another.')]);
    const { message } = await session.send('hi', { client: other });
    expect(message?.content).toEqual([{ type: 'text', text: 'From another.' }]);
    expect(client.requests).toHaveLength(0);
    expect(other.requests[0]).toMatchObject({ maxTokens: 100, temperature: 1 });
    expect(other.requests[0]).not.toHaveProperty('model');
    expect(other.requests[0]).not.toHaveProperty('providerParams');

    await session.send('again');
    expect(client.requests).toHaveLength(1);
    expect(client.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  test('may have its own model, limits and parameters', async () => {
    const { client, session } = open();
    await session.send('hi', { model: 'other', maxTokens: 5, temperature: 0, providerParams: { top_k: 1 } });
    await session.regenerate();
    expect(client.requests).toMatchObject([
      { model: 'other', maxTokens: 5, temperature: 0, providerParams: { own: true, top_k: 1 } },
      // The same run again: its options count again.
      { model: 'other', maxTokens: 5, temperature: 0, providerParams: { own: true, top_k: 1 } },
    ]);
    await session.send('And now?');
    expect(client.requests[2]).toMatchObject({
      model: 'own-model',
      maxTokens: 100,
      temperature: 1,
      providerParams: { own: true },
    });
    const other = createScriptedClient([reply.text('x')]);
    await session.regenerate(undefined, { client: other, model: 'theirs', providerParams: { top_p: 1 } });
    expect(other.requests[0]).toMatchObject({ model: 'theirs', providerParams: { top_p: 1 } });
    expect(other.requests[0]?.providerParams).not.toHaveProperty('own');
  });

  test('may request a typed answer, and parses it', async () => {
    const city = defineOutput({
      name: 'city',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    const { client, session } = open(createScriptedClient([[reply.text('{"name":"Lima"}')], [reply.text('Lima.')]]));
    const { message } = await session.send('The biggest city of Peru?', { output: city });
    expect(client.requests[0]?.output).toMatchObject({ name: 'city', strict: true });
    expect(await city.read(message ?? '')).toEqual({ name: 'Lima' });

    const again = await session.send('And now?');
    expect(client.requests[1]).not.toHaveProperty('output');
    await expect(city.read(again.message ?? '')).rejects.toMatchObject({ code: 'INVALID_OUTPUT' });
  });
});

test('a person sees that a request is retried, and stops it: no further request is sent, and no retry is stored', async () => {
  const ports = createManualPorts();
  const manual = createManualClient();
  const client = withRetry(manual, { delay: ports.delay, random: () => 0.5 });
  const agent = createAgent({ client, ports });
  const session = agent.getSession(agent.createSession());
  const types: string[] = [];
  session?.events$.subscribe(({ type }) => types.push(type));
  const result = session?.send('hi');
  await settled();
  manual.last().chunks.error(new TypeError('Failed to fetch'));
  expect(client.getRetries().size).toBe(0);
  await expect(result).resolves.toMatchObject({ outcome: 'failed' });

  const second = session?.send('hi again');
  await settled();
  const { fail } = reply;
  const step = fail('OVERLOADED');
  manual.last().chunks.error(step.do === 'fail' ? step.error : undefined);
  expect(client.getRetries().get(session?.id ?? '')).toMatchObject({ attempt: 2, attempts: 4, ms: 1_000 });
  expect(session?.getStatus()).toBe('running');
  types.length = 0;
  session?.cancel();
  await expect(second).resolves.toMatchObject({ outcome: 'cancelled' });
  ports.pass(10_000);
  await settled();
  expect([client.getRetries().size, manual.asked.length]).toEqual([0, 2]);
  expect(types).toEqual(['run.ended']);
});
