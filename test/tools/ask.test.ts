import { createAgent, type Json, type JsonObject, toolParts } from 'brooklet';
import { askTool } from 'brooklet/tools';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { engine } from '../../src/core/tools/tool.ts';

/** A session in which the model has called ask_user. */
async function asking(input: JsonObject) {
  const client = createScriptedClient([[reply.call('ask_user', input)], [reply.text('Thanks.')]]);
  const agent = createAgent({ client, tools: [askTool()] });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('A new session is in memory.');
  const ended = session.send('Go');
  const call = () => session.getMessages().flatMap(toolParts)[0];
  await until(() => expect(call()?.status).toMatch(/awaiting-approval|invalid/));
  return { client, ended, call, answer: (answer: Json) => session.answer(call()?.callId ?? '', answer) };
}

const what = { question: 'Which day?' };

describe('askTool', () => {
  it('asks for free text, and returns the text to the model', async () => {
    const { call, answer, ended } = await asking(what);
    expect(call()?.approval?.elicitation).toEqual({
      title: 'Which day?',
      type: 'string',
      minLength: 1,
      maxLength: 10_000,
    });
    await answer('The first one in May.');
    expect(await ended).toMatchObject({ outcome: 'completed' });
    expect(call()).toMatchObject({
      status: 'succeeded',
      output: 'The first one in May.',
      summary: 'Answered: The first one in May.',
    });
  });

  it('asks for a choice', async () => {
    const { call, answer, ended } = await asking({ ...what, choices: ['Monday', 'Tuesday', 'Monday'] });
    expect(call()?.approval?.elicitation).toEqual({ title: 'Which day?', type: 'string', enum: ['Monday', 'Tuesday'] });
    await expect(answer('Sunday')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(call()?.status).toBe('awaiting-approval');
    await answer('Tuesday');
    await ended;
    expect(call()?.output).toBe('Tuesday');
  });

  it('asks for several values in a form', async () => {
    const { call, answer, ended } = await asking({
      question: 'Where to?',
      fields: [
        { name: 'city', label: 'City', type: 'text' },
        { name: 'nights', type: 'integer' },
        { name: 'budget', type: 'number', optional: true },
        { name: 'quiet', label: 'A quiet room?', type: 'boolean', optional: true },
        { name: 'class', type: 'choice', choices: ['first', 'second'] },
      ],
    });
    expect(call()?.approval?.elicitation).toEqual({
      title: 'Where to?',
      type: 'object',
      properties: {
        city: { title: 'City', type: 'string', minLength: 1, maxLength: 10_000 },
        nights: { title: 'nights', type: 'integer' },
        budget: { title: 'budget', type: 'number' },
        quiet: { title: 'A quiet room?', type: 'boolean' },
        class: { title: 'class', type: 'string', enum: ['first', 'second'] },
      },
      required: ['city', 'nights', 'class'],
      additionalProperties: false,
    });
    const fitting = { city: 'Rome', nights: 2, class: 'second' };
    for (const wrong of [{ ...fitting, nights: 2.5 }, { ...fitting, class: 'third' }, { city: 'Rome' }, 'Rome'])
      await expect(answer(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await answer(fitting);
    await ended;
    expect(call()).toMatchObject({ output: fitting, summary: 'Answered', details: { type: 'json', value: fitting } });
  });

  it.each<readonly [string, JsonObject]>([
    ['without a question', {}],
    ['with one choice', { ...what, choices: ['Monday'] }],
    ['with a kind of field that is none', { ...what, fields: [{ name: 'a', type: 'pattern' }] }],
    ['with a schema of its own', { ...what, fields: [{ name: 'a', type: 'text', pattern: '(a+)+$' }] }],
  ])('does not ask %s, and returns the reason to the model', async (_how, input) => {
    const { call, client, ended } = await asking(input);
    await ended;
    expect(call()).toMatchObject({ status: 'invalid' });
    expect(JSON.stringify(client.requests[1]?.messages)).toContain('does not fit the schema');
  });

  it('waits for its approval timeout', async () => {
    expect(askTool()[engine].approvalTimeout).toBeUndefined();
    expect(askTool({ approvalTimeout: 60_000 })[engine].approvalTimeout).toBe(60_000);
  });
});
