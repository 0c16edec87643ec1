import { defineTool, type Tool, type ToolContext } from 'brooklet';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { CheckedInput } from '../../../src/core/tools/tool-types.ts';
import { engine } from '../../../src/core/tools/tool.ts';

const object = { type: 'object' } as const;
const context: ToolContext = {
  signal: new AbortController().signal,
  sessionId: 's',
  callId: 'c',
  idempotencyKey: 's/c',
  attempt: 1,
  progress: () => {},
};

function fails(): never {
  throw new Error('no');
}

async function checked(tool: Tool, input = {}): Promise<CheckedInput> {
  const result = await tool[engine].check(input);
  if (result.problem !== undefined) throw new Error(result.problem);
  return result;
}

describe('defineTool', () => {
  test('makes the description for the model', () => {
    const tool = defineTool({
      name: 'add',
      description: 'Adds two numbers.',
      input: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    });
    expect(tool).toMatchObject({
      name: 'add',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['a', 'b'] },
    });
    expect(tool).not.toHaveProperty('timeout');
  });

  test.each(['a', 'A-b_3', 'x'.repeat(64)])('accepts the name %s', (name) => {
    expect(defineTool({ name, description: '', input: object, execute: () => 1 }).name).toBe(name);
  });

  test.each(['', '3d', '_a', '-a', 'a b', 'a.b', 'ä', 'x'.repeat(65), 'a\n', '__proto__.x'])(
    'rejects the name %j',
    (name) => {
      expect(() => defineTool({ name, description: '', input: object, execute: () => 1 })).toThrow(
        expect.objectContaining({
          name: 'AgentError',
          code: 'INVALID_CONFIG',
          message: expect.stringContaining(JSON.stringify(name)),
        }),
      );
    },
  );

  test('rejects an input schema that is not an object', () => {
    expect(() => defineTool({ name: 'a', description: '', input: z.string(), execute: () => 1 })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});

describe('a checked input', () => {
  test('is the output of the schema, for every function of the tool', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'shift',
      description: '',
      input: z.object({ day: z.iso.date().transform((text) => new Date(text)) }),
      needsApproval: ({ day }) => Boolean(seen.push(day)),
      execute: ({ day }) => seen.push(day),
      present: ({ day }) => ({ summary: String(seen.push(day)) }),
    });
    const input = await checked(tool, { day: '2020-02-03' });
    await input.needsApproval();
    await input.execute(context);
    input.present(1);
    expect(seen).toEqual([new Date('2020-02-03'), new Date('2020-02-03'), new Date('2020-02-03')]);
  });

  test('is rejected if it does not fit, and no function of the tool is called', async () => {
    const execute = vi.fn();
    const needsApproval = vi.fn(() => true);
    const tool = defineTool({ name: 'a', description: '', input: z.object({ n: z.number() }), execute, needsApproval });
    expect(await tool[engine].check({ n: 'x' })).toEqual({ problem: expect.stringContaining('input.n') });
    expect(execute).not.toHaveBeenCalled();
    expect(needsApproval).not.toHaveBeenCalled();
  });

  test.each([
    ['throws', () => fails()],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('is rejected if the schema %s', async (_how, validate) => {
    const input = {
      '~standard': { version: 1, vendor: 'by hand', validate, jsonSchema: { input: () => object } },
    } as const;
    const tool = defineTool({ name: 'a', description: '', input, execute: () => 1 });
    expect(await tool[engine].check({})).toEqual({ problem: expect.stringMatching(/no/) });
  });

  test('is rejected if the JSON Schema has an invalid pattern', async () => {
    const tool = defineTool({
      name: 'a',
      description: '',
      input: { type: 'object', properties: { a: { pattern: '[' } } },
      execute: () => 1,
    });
    expect(await tool[engine].check({ a: 'x' })).toEqual({
      problem: expect.stringContaining('Invalid regular expression'),
    });
  });

  test('is run with the context of the call', async () => {
    const execute = vi.fn(() => 'done');
    const tool = defineTool({ name: 'a', description: '', input: object, execute });
    expect(await (await checked(tool, { n: 1 })).execute(context)).toBe('done');
    expect(execute).toHaveBeenCalledExactlyOnceWith({ n: 1 }, context);
  });

  test('rejects if the tool throws synchronously', async () => {
    const tool = defineTool({ name: 'a', description: '', input: object, execute: () => fails() });
    await expect((await checked(tool)).execute(context)).rejects.toThrow('no');
  });

  test('has no presentation if the tool has no presenter', async () => {
    const tool = defineTool({ name: 'a', description: '', input: object, execute: () => 1 });
    expect((await checked(tool)).present(1)).toEqual({});
  });
});

describe('whether a call needs approval', () => {
  test.each<[string, undefined | boolean | (() => boolean | Promise<boolean>), boolean]>([
    ['is not asked for by default', undefined, false],
    ['is what the tool says', true, true],
    ['is what the tool says, also when it says no', false, false],
    ['is what a function of the input says', () => true, true],
    ['is what a function says later', () => Promise.resolve(false), false],
    ['is yes where the function throws', () => fails(), true],
    ['is yes where the function rejects', () => Promise.reject(new Error('no')), true],
  ])('%s', async (_what, needsApproval, expected) => {
    const more = needsApproval === undefined ? {} : { needsApproval };
    const tool = defineTool({ name: 'a', description: '', input: object, execute: () => 1, ...more });
    expect(await (await checked(tool)).needsApproval()).toBe(expected);
  });
});
