import { askPerson, createAgent, defineTool, type Tool } from 'brooklet';
import { createScriptedClient } from 'brooklet/testing';
import { followPageTools, isWebMCPSupported, listPageTools, offerTools } from 'brooklet/webmcp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { run } from '../tools/run.ts';
import { FakeModelContext } from './fake-model-context.ts';

const here = 'https://page.example';
const any = { type: 'object' } as const;

let context: FakeModelContext;

beforeEach(() => {
  context = new FakeModelContext();
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', { modelContext: context });
  vi.stubGlobal('location', { origin: here });
  vi.stubGlobal('addEventListener', () => {});
});

afterEach(() => vi.unstubAllGlobals());

const offer = (name: string, more: object = {}): void =>
  context.offer({ name, description: 'Buys.', inputSchema: any, execute: async (input) => input, window: {}, ...more });

/** Returns the only tool that the page offers. */
async function only(fromOrigins: readonly string[] = []): Promise<Tool> {
  const [found, other] = await listPageTools({ fromOrigins });
  if (!found || other) throw new Error('not one tool');
  return found.tool;
}

it.each(['registerTool', 'getTools', 'executeTool'])('a browser without %s has no WebMCP', async (verb) => {
  const verbs = { registerTool: () => {}, getTools: () => {}, executeTool: () => {} };
  const other = (one: object): void => {
    vi.stubGlobal('document', { modelContext: Object.assign(new EventTarget(), one) });
  };
  other(verbs);
  expect(isWebMCPSupported()).toBe(true);
  other({ ...verbs, [verb]: true });
  expect(isWebMCPSupported()).toBe(false);
  expect(await listPageTools()).toEqual([]);
});

describe('a tool of the page', () => {
  it('is listed where a frame offers one with the name of an own tool', async () => {
    const own = defineTool({ name: 'sum', description: 'Adds.', input: any, execute: () => 1 });
    const { stop } = await offerTools([own]);
    expect(await listPageTools()).toEqual([]);
    context.withdraw('sum');
    offer('sum');
    expect((await listPageTools()).map(({ name }) => name)).toEqual(['sum']);
    stop();
  });

  it.each([
    [50_000, 1],
    [50_001, 0],
  ])('with a schema of %i characters is one of %i', async (length, count) => {
    const empty = JSON.stringify({ type: 'object', description: '' });
    offer('buy', { inputSchema: { type: 'object', description: 'x'.repeat(length - empty.length) } });
    expect(await listPageTools()).toHaveLength(count);
  });

  it('may describe itself in 2,000 characters', async () => {
    offer('buy', { description: 'x'.repeat(3_000) });
    expect((await only()).description).toBe(`A tool of ${here}. ${'x'.repeat(2_000)}`);
  });

  it.each([
    ['a'.repeat(59), `page_${'a'.repeat(59)}`],
    ['a'.repeat(60), expect.stringMatching(/^page_a{49}_\w{9}$/)],
    ['a.b', expect.stringMatching(/^page_a_b_\w{9}$/)],
  ])('with the name %s has this name for the model: %s', async (name, shown) => {
    offer(name);
    expect((await only()).name).toEqual(shown);
  });

  it.each(['https://shop.example', 'http://shop.example'])(
    'of %s has its host in its name, and a hash',
    async (origin) => {
      offer('buy', { origin });
      expect((await only([origin])).name).toMatch(/^shop_example_buy_\w{9}$/);
    },
  );

  it('that has left its page says so', async () => {
    offer('buy');
    const buy = await only();
    context.executeTool = async () => null;
    expect((await run(buy, {})).output).toBe('The tool left the page that offered it.');
  });

  it('is cancelled with its call', async () => {
    const seen: unknown[] = [];
    offer('buy');
    const buy = await only();
    context.executeTool = async (_tool, _input, options) => {
      seen.push(options?.signal);
      return '1';
    };
    await run(buy, {});
    expect(seen).toEqual([expect.any(AbortSignal)]);
  });
});

describe('a tool that a page offers', () => {
  const call = (input: unknown): Promise<string | null> => context.executeTool({ name: 'buy' }, untyped(input));
  const buy = (execute: Parameters<typeof defineTool>[0]['execute']): Tool =>
    defineTool({ name: 'buy', description: 'Buys.', input: any, execute });

  it('runs with the context of a call, and is reported', async () => {
    const contexts: object[] = [];
    const onCall = vi.fn();
    await offerTools([buy((_input, given) => contexts.push({ ...given }))], { onCall });
    expect(await call({})).toBe('1');
    const callId: unknown = expect.stringMatching(/./);
    expect(contexts).toEqual([
      expect.objectContaining({
        sessionId: 'webmcp',
        callId,
        idempotencyKey: callId,
        attempt: 1,
        signal: expect.any(AbortSignal),
      }),
    ]);
    expect(onCall).toHaveBeenCalledExactlyOnceWith({ name: 'buy', input: {}, output: 1, isError: false });
  });

  it('runs with no input that is not an object', async () => {
    await offerTools([buy(() => 'ran')]);
    for (const input of [[1], 'text', 1])
      expect(await call(input)).toContain('Not run: the input is not a JSON object.');
    expect(await call({})).toBe('ran');
  });

  it('asks no question while it runs', async () => {
    await offerTools([buy(() => askPerson({ type: 'string', title: 'Which?' }, { state: 1 }))], {
      approve: () => true,
    });
    expect(await call({})).toContain('Not finished: the tool asks a person a question');
  });

  it.each([[undefined], [['https://shop.example']]])('is exposed to the origins %j', async (exposedTo) => {
    const given: object[] = [];
    context.registerTool = async (_tool, options) => void given.push(options ?? {});
    await offerTools([buy(() => 1)], exposedTo && { exposedTo });
    expect(given).toEqual([{ signal: expect.any(AbortSignal), ...(exposedTo && { exposedTo }) }]);
  });
});

describe('followPageTools', () => {
  it('takes from the agent only what has gone', async () => {
    const agent = createAgent({ client: createScriptedClient([]) });
    const removed = vi.spyOn(agent, 'removeTool');
    const seen: (readonly string[])[] = [];
    offer('buy');
    offer('sell');
    const { stop } = followPageTools(agent, { onChange: (tools) => seen.push(tools.map(({ name }) => name)) });
    await expect.poll(() => seen.at(-1)).toEqual(['buy', 'sell']);
    context.withdraw('sell');
    await expect.poll(() => seen.at(-1)).toEqual(['buy']);
    expect(removed.mock.calls).toEqual([['page_sell']]);
    stop();
    expect(removed.mock.calls).toEqual([['page_sell'], ['page_buy']]);
  });

  it('reports a list that the browser does not give', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    context.getTools = async () => Promise.reject(new Error('detached'));
    const { stop } = followPageTools(createAgent({ client: createScriptedClient([]) }));
    await expect.poll(() => reported.mock.calls).toEqual([[expect.objectContaining({ message: 'detached' })]]);
    stop();
  });
});
