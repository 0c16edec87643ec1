import { defineTool } from 'brooklet';
import { createReview } from 'brooklet/review';
import { createScriptedClient, reply, whatIf } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { record } from '../review/recorded.ts';

describe('a session that goes otherwise from a step on', () => {
  test('is the same up to the step, and compared step by step after it', async () => {
    const { stored, requests } = await record();
    const client = createScriptedClient([reply.text('I rather do not break anything.'), reply.usage(130, 7)]);
    const { review, changes, status } = await whatIf(stored.events, { step: 1, client, instructions: 'Be careful.' });

    expect(status).toBe('idle');
    expect(client.requests[0]?.messages[0]?.content).toEqual([{ type: 'text', text: 'Be careful.' }]);
    expect(client.requests[0]?.messages.slice(1)).toEqual(requests[1]?.messages.slice(1));
    expect(changes.firstDifference).toBe(1);
    expect(changes.steps.map(({ isSame }) => isSame)).toEqual([true, false, false]);
    expect(changes.steps[2]?.after).toBeUndefined();
    expect(review.steps[1]?.request?.messages).toEqual(client.requests[0]?.messages);
    expect(review.runs[0]?.outcome).toBe('completed');
    expect(changes.tokens).toEqual({ input: 100 + 130 - 360, output: 10 + 7 - 35 });
  });

  test('is the recorded one when nothing is changed and the model answers the same', async () => {
    const { stored } = await record();
    const client = createScriptedClient([
      [reply.call('break', {}), reply.usage(120, 5)],
      [reply.text('Paid with a change; the other tool is broken.'), reply.usage(140, 20)],
    ]);
    const { changes } = await whatIf(stored.events, { step: 1, client });
    expect(changes.firstDifference).toBeUndefined();
    expect(changes.steps).toHaveLength(3);
  });

  test('overrides the options of the recorded run, and its tools', async () => {
    const { stored } = await record();
    const client = createScriptedClient([[reply.call('say', { text: 'Hi' })], [reply.text('Said.')]]);
    const said: unknown[] = [];
    const say = defineTool({
      name: 'say',
      description: 'Says a text.',
      input: { type: 'object' },
      execute: (input) => void said.push(input),
    });
    await whatIf(stored.events, { step: 3, client, model: 'large', tools: [say] });
    expect(createReview(stored.events).steps[3]?.request?.model).toBe('small');
    expect(client.requests[0]).toMatchObject({ model: 'large', tools: [{ name: 'say' }] });
    expect(said).toEqual([{ text: 'Hi' }]);
  });

  test('runs no tool: a call with another input than the recorded ones fails', async () => {
    const { stored } = await record();
    const client = createScriptedClient([
      [reply.call('pay', { n: 2 }), reply.call('pay', { n: 3 })],
      [reply.text('Done.')],
    ]);
    const { review } = await whatIf(stored.events, { step: 0, client });
    expect(review.calls.map(({ outcome, output }) => [outcome, output])).toEqual([
      ['succeeded', 'paid 2'],
      ['failed', 'No result is recorded for this input.'],
    ]);
  });

  test('stops where a person has to decide', async () => {
    const { stored } = await record();
    const gated = defineTool({
      name: 'gated',
      description: 'Asks first.',
      input: { type: 'object' },
      needsApproval: true,
      execute: () => 'ran',
    });
    const client = createScriptedClient([reply.call('gated')]);
    const { status, review } = await whatIf(stored.events, { step: 0, client, tools: [gated] });
    expect(status).toBe('waiting');
    expect(review.calls).toMatchObject([{ name: 'gated', attempts: 0 }]);
  });

  test('does not exist for a step that the log does not have', async () => {
    const { stored } = await record();
    const client = createScriptedClient([]);
    await expect(whatIf(stored.events, { step: 9, client })).rejects.toThrow('has no step 9: it has 5 steps');
  });
});
