import { type AgentOptions, defineTool } from 'brooklet';
import { reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { createStage } from '../../support/context-stage.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object', properties: {} },
  execute: () => 'fish',
});

describe('a function of the page that throws while a request is made', () => {
  const bug = new TypeError('no clock');
  const throws = (): never => {
    throw bug;
  };

  test.each<[string, Partial<AgentOptions>]>([
    ['scratch', { scratch: throws }],
    ['scratch with a window', { scratch: throws, contextWindow: 1_000 }],
    ['countTokens', { contextWindow: 1_000, context: { countTokens: throws } }],
    ['stopWhen', { stopWhen: throws, tools: [look], maxSteps: 3 }],
  ])('fails the run as INVALID_CONFIG with its error as the cause: %s', async (_, options) => {
    const { session, asked } = await createStage(options, { chat: () => [reply.call('look')] });
    const { outcome, error } = await session.send('Hello');
    expect(outcome).toBe('failed');
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', cause: bug, retryable: false });
    expect(asked().length).toBeLessThan(2);
  });
});
