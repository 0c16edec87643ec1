import { AgentError, defineTool, type JsonObject, type ToolOptions } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { expect, test, vi } from 'vitest';
import { call, say, settled } from '../support/manual-client.ts';
import { ask, callIdOf, callsOf, recorded, stage } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';

const wrong: readonly (readonly [options: object, problem: string])[] = [
  [{ name: 'two words' }, 'name'],
  [{ name: undefined }, 'name'],
  [{ description: 5 }, 'description'],
  [{ input: undefined }, 'input'],
  [{ input: { type: 'object', properties: { x: { default: () => 1 } } } }, 'cannot be stored'],
  [{ execute: 'run' }, 'execute'],
  [{ execute: async function* run() {} }, 'generator'],
  [{ execute: function* run() {} }, 'generator'],
  [{ followUp: 'no' }, 'followUp'],
  [{ idempotent: () => true }, 'idempotent'],
  [{ exclusive: 'yes' }, 'exclusive'],
  [{ needsApproval: 'yes' }, 'needsApproval'],
  [{ timeout: Number.NaN }, 'timeout'],
  [{ timeout: Infinity }, 'timeout'],
  [{ timeout: 0 }, 'timeout'],
  [{ approvalTimeout: -1 }, 'approvalTimeout'],
  [{ maxOutput: 0 }, 'maxOutput'],
];
test.each(wrong)('a tool with %o is refused where it is defined', (options, problem) => {
  const define = () =>
    defineTool(untyped({ name: 'tool', description: '', input: { type: 'object' }, execute: () => '', ...options }));
  expect(define).toThrow(AgentError);
  expect(define).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(problem) }),
  );
});

test('changing the schema after the definition changes neither the tool nor its version', async () => {
  const input = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
  const tool = defineTool({ name: 'tool', description: '', input, execute: () => '' });
  input.required.push('b');
  expect(tool.inputSchema).toEqual({ type: 'object', required: ['a'], properties: { a: { type: 'string' } } });
  const on = stage({ tools: [tool] });
  await ask(on, ['tool', '{"a":"x"}']);
  expect(callsOf(on.session)).toMatchObject([{ status: 'succeeded' }]);
});

test('a tool that changes its input changes neither what a person approved nor the log nor the next request', async () => {
  const store = createMemoryStore();
  const change = (input: object): string => {
    Object.assign(input, { limit: 100 });
    return 'done';
  };
  const on = stage({
    store,
    tools: [recorded('search', { needsApproval: (input) => change(input) === 'done', execute: change }).tool],
  });
  await ask(on, ['search', '{"limit":1,"filter":{"of":["a"]}}']);
  const shown = structuredClone(callsOf(on.session)[0]?.input);
  await on.session.approve(callIdOf(on.session));
  await settled();
  expect(callsOf(on.session)).toMatchObject([{ status: 'succeeded', input: shown }]);
  say(on.client.last(), 'ok');
  await on.session.flushed();
  const stored = await store.read(on.session.id);
  expect(stored?.events.find(({ type }) => type === 'call.requested')).toMatchObject({ input: shown });
});

async function outputOf(
  result: ReturnType<ToolOptions<JsonObject>['execute']>,
  options: object = {},
): Promise<unknown> {
  const on = stage({ tools: [recorded('tool', { execute: () => result, ...options }).tool] });
  await ask(on, ['tool', '{}']);
  return callsOf(on.session)[0]?.output;
}

test('a result that is too long is cut, with a mark that the model reads', async () => {
  const output = String(await outputOf('x'.repeat(500_000)));
  expect(output.slice(0, 400_000)).toBe('x'.repeat(400_000));
  expect(output.slice(400_000)).toBe('\n[… 100000 characters left out: the result was too long. Ask for less.]');
  expect(await outputOf({ rows: ['abc', 'def'] }, { maxOutput: 10 })).toMatch(/^\{"rows":\["\n\[… 12 characters/);
  expect(
    await outputOf(
      [
        { type: 'text', text: 'abc' },
        { type: 'text', text: 'def' },
      ],
      { maxOutput: 4 },
    ),
  ).toMatchObject([{ text: 'abc' }, { text: expect.stringContaining('d\n[… 2 characters left out') }]);
  expect(await outputOf([{ type: 'image', mediaType: 'image/png', data: 'x'.repeat(20_000_001) }])).toMatchObject([
    { type: 'text', text: expect.stringContaining('image of 20000001 characters left out') },
  ]);
  expect(await outputOf({ rows: 3 })).toEqual({ rows: 3 });
});

test('an image with a data: URL as its data is taken as its base64', async () => {
  expect(await outputOf([{ type: 'image', mediaType: 'image/png', data: 'data:image/png;base64,AAEC' }])).toEqual([
    { type: 'image', mediaType: 'image/png', data: 'AAEC' },
  ]);
});

test('a result decides whether the model is asked again', async () => {
  const followUp = vi.fn((_input: JsonObject, output: unknown) => output !== 'done');
  const results = ['more', 'done'];
  const { tool } = recorded('step', { followUp, execute: () => results.shift() });
  const on = stage({ tools: [tool] });
  const sent = on.session.send('go');
  await settled();
  call(on.client.last(), ['step', '{}']);
  await settled();
  call(on.client.last(), ['step', '{}']);
  expect(await sent).toMatchObject({ outcome: 'completed' });
  expect(on.client.asked).toHaveLength(2);
  expect(callsOf(on.session).map(({ requiresFollowUp }) => requiresFollowUp)).toEqual([true, false]);
  expect(followUp).toHaveBeenCalledWith({}, 'more');
});

test('a follow-up function that throws, or a call that fails, asks the model again', async () => {
  const broken = recorded('broken', {
    followUp: () => {
      throw new Error('no');
    },
  });
  const failing = recorded('failing', {
    followUp: () => false,
    execute: () => {
      throw new Error('no');
    },
  });
  const on = stage({ tools: [broken.tool, failing.tool] });
  await ask(on, ['broken', '{}']);
  expect(on.client.asked).toHaveLength(2);
  call(on.client.last(), ['failing', '{}']);
  await settled();
  expect(on.client.asked).toHaveLength(3);
});
