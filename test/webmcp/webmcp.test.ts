import { createAgent, defineTool, type Tool, toolParts } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { followPageTools, isWebMCPSupported, listPageTools, offerTools } from 'brooklet/webmcp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engine } from '../../src/core/tools/tool.ts';
import { createGate } from '../support/gate.ts';
import { asks, run } from '../tools/run.ts';
import { FakeModelContext } from './fake-model-context.ts';

const numbers = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const;

const ran: unknown[] = [];
const sum = (needsApproval = false) =>
  defineTool({
    name: 'sum',
    description: 'Adds two numbers.',
    input: numbers,
    needsApproval,
    execute: ({ a, b }) => {
      ran.push({ a, b });
      return { sum: Number(a) + Number(b) };
    },
  });

let context: FakeModelContext;

beforeEach(() => {
  context = new FakeModelContext();
  ran.length = 0;
  const frame = {};
  vi.stubGlobal('window', frame);
  vi.stubGlobal('document', { modelContext: context });
  vi.stubGlobal('location', { origin: 'https://page.example' });
  // What an agent listens to where there is a document.
  vi.stubGlobal('addEventListener', () => {});
});

afterEach(() => vi.unstubAllGlobals());

describe('without WebMCP', () => {
  it.each([undefined, {}, { modelContext: {} }, { modelContext: undefined }])(
    'does nothing with the document %j',
    async (document) => {
      vi.stubGlobal('document', document);
      expect(isWebMCPSupported()).toBe(false);
      const offer = await offerTools([sum()]);
      expect(offer).toMatchObject({ isSupported: false, names: [], refused: [] });
      offer.stop();
      expect(await listPageTools()).toEqual([]);
      const agent = createAgent({ client: createScriptedClient([]) });
      const followed = followPageTools(agent);
      expect(followed.isSupported).toBe(false);
      followed.stop();
    },
  );
});

describe('offerTools', () => {
  const call = (input: object, signal?: AbortSignal): Promise<string | null> =>
    context.executeTool({ name: 'sum' }, input, signal && { signal });

  it('runs a tool with a checked input only, and says what is wrong', async () => {
    const { names, isSupported } = await offerTools([sum()]);
    expect({ names, isSupported }).toEqual({ names: ['sum'], isSupported: true });
    expect(await call({ a: 1, b: 2 })).toBe('{"sum":3}');
    for (const bad of [{ a: 'x', b: 1 }, { a: 1 }, { a: 1, b: 2, c: 3 }, [1, 2]])
      expect(await call(bad)).toMatch(/^\{"isError":true,.*Not run/);
    expect(ran).toHaveLength(1);
  });

  it('runs no call that needs approval without a person', async () => {
    await offerTools([sum(true)]);
    expect(await call({ a: 1, b: 2 })).toContain('this page does not ask for it');
    expect(ran).toEqual([]);
  });

  it.each<[answer: string, approve: () => boolean | Promise<boolean>, runs: number]>([
    ['yes', () => true, 1],
    ['no', async () => false, 0],
    [
      'with an error',
      () => {
        throw new Error('closed');
      },
      0,
    ],
  ])('asks the person, who answers %s', async (_answer, approve, runs) => {
    const asked = vi.fn(approve);
    await offerTools([sum(true)], { approve: asked });
    await call({ a: 1, b: 2 });
    expect(asked).toHaveBeenCalledExactlyOnceWith({ name: 'sum', input: { a: 1, b: 2 } });
    expect(ran).toHaveLength(runs);
    await call({ a: 'x' });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('offers no question to the person, and reports each call', async () => {
    const question = defineTool({
      name: 'sum',
      description: 'Asks.',
      input: { type: 'object' },
      answer: { type: 'string' },
      execute: () => ran.push('asked'),
    });
    const onCall = vi.fn();
    await offerTools([question], { approve: () => true, onCall });
    expect(await call({})).toContain('asks a person a question');
    expect(onCall).toHaveBeenCalledWith(expect.objectContaining({ name: 'sum', input: {}, isError: true }));
    expect(ran).toEqual([]);
  });

  it('ends a call with its signal and with the timeout of the tool', async () => {
    const endless = defineTool({
      name: 'sum',
      description: 'Never ends.',
      input: { type: 'object' },
      timeout: 5,
      execute: () => new Promise<string>(() => {}),
    });
    await offerTools([endless]);
    expect(await call({})).toContain('took too long');
    expect(await call({}, AbortSignal.abort())).toContain('isError');
  });

  it('states the tools that the browser refuses, and withdraws the others', async () => {
    context.offer({ name: 'sum', description: 'Another one.', execute: async () => 0 });
    const tool = defineTool({ name: 'other', description: 'o', input: { type: 'object' }, execute: () => 1 });
    const offer = await offerTools([sum(), tool]);
    expect(offer.refused).toEqual([{ name: 'sum', reason: 'Duplicate tool name' }]);
    offer.stop();
    expect(await context.getTools()).toMatchObject([{ name: 'sum', description: 'Another one.' }]);
  });
});

describe('listPageTools', () => {
  const offer = (name: string, more: object = {}): void =>
    context.offer({
      name,
      description: 'Buys.',
      inputSchema: numbers,
      execute: async (input) => input,
      window: {},
      ...more,
    });

  it('returns tools with their origins, which check inputs and ask', async () => {
    offer('buy');
    offer('look', { annotations: { readOnlyHint: true, untrustedContentHint: true } });
    offer('look.far', { origin: 'https://shop.example', annotations: { readOnlyHint: true } });
    expect(await listPageTools()).toHaveLength(2);
    const tools = await listPageTools({ fromOrigins: ['https://shop.example'] });
    expect(tools.map(({ tool, origin }) => [tool.name, origin])).toEqual([
      ['page_buy', 'https://page.example'],
      ['page_look', 'https://page.example'],
      [expect.stringMatching(/^shop_example_look_far_\w{9}$/), 'https://shop.example'],
    ]);
    expect(tools[1]).toMatchObject({ isReadOnly: true, isUntrusted: true });
    const [buy, look, far] = tools.map(({ tool }) => tool);
    if (!buy || !look || !far) throw new Error('a tool is missing');
    expect(buy.description).toBe('A tool of https://page.example. Buys.');
    const input = { a: 1, b: 2 };
    expect(await Promise.all([buy, look, far].map((tool) => asks(tool, input)))).toEqual([true, false, true]);
    expect((await run(buy, input)).output).toEqual(input);
    await expect(run(buy, { a: 'x' })).rejects.toThrow('refused');
  });

  it('makes a failure of a failed result, and text of text', async () => {
    offer('fails', { execute: async () => ({ isError: true, content: [] }) });
    offer('says', { execute: async () => 'just text', inputSchema: undefined });
    const [fails, says] = await listPageTools();
    if (!fails || !says) throw new Error('a tool is missing');
    await expect(run(fails.tool, { a: 1, b: 2 })).rejects.toThrow('fails failed');
    expect((await run(says.tool, {})).output).toBe('just text');
  });

  it('leaves out what this page offers, and what no model can read', async () => {
    await offerTools([sum()]);
    offer('array', { inputSchema: [1] });
    offer('text', { inputSchema: 'no json' });
    offer('string', { inputSchema: { type: 'string' } });
    offer('large', { inputSchema: { type: 'object', description: 'x'.repeat(60_000) } });
    offer('earlier', { inputSchema: '{"type":"object"}' });
    expect((await listPageTools()).map(({ name }) => name)).toEqual(['earlier']);
  });

  it('gives a tool the same version for as long as nothing of it changes', async () => {
    const versions: unknown[] = [];
    const schemaWith = (name: string) => ({ type: 'object', properties: { [name]: {} } });
    for (const more of [
      {},
      { description: 'Sells.' },
      // These two names have the same short hash.
      { inputSchema: schemaWith('in') },
      { inputSchema: schemaWith('jO') },
      { title: 'Buy' },
      { annotations: { readOnlyHint: true } },
      { annotations: { untrustedContentHint: true } },
    ])
      for (const again of [more, { ...more }]) {
        offer('buy', again);
        const [found] = await listPageTools();
        versions.push(found?.tool[engine].version);
      }
    expect(versions).toHaveLength(14);
    for (const [index, version] of versions.entries()) expect(versions.indexOf(version)).toBe(index - (index % 2));
  });

  it('gives two tools of strangers never the same name', async () => {
    const origins = [
      'https://a-b.example',
      'https://a.b.example',
      'http://a.b.example',
      'https://a.b.example:81',
      'http://127.0.0.1',
    ];
    for (const [index, origin] of origins.entries()) offer(index % 2 === 0 ? 'x.y' : 'x_y', { origin });
    const names = new Set<string>();
    for (const origin of origins)
      for (const name of ['x.y', 'x_y', 'x'.repeat(100), `${'x'.repeat(99)}y`]) {
        context = new FakeModelContext();
        vi.stubGlobal('document', { modelContext: context });
        offer(name, { origin });
        const [found] = await listPageTools({ fromOrigins: origins });
        names.add(found?.tool.name ?? '');
        expect(found?.tool.name).toMatch(/^[a-z][\w-]{0,63}$/);
      }
    expect(names.size).toBe(20);
  });
});

describe('followPageTools', () => {
  it('asks again for a tool that has changed since a person allowed it', async () => {
    const calls = [reply.call('page_buy', {})];
    const ends = [reply.text('Done.')];
    const agent = createAgent({ client: createScriptedClient([calls, ends, calls, ends, calls]) });
    const seen: unknown[] = [];
    const { stop } = followPageTools(agent, { onChange: (tools) => seen.push(tools[0]?.tool.inputSchema) });
    const offer = async (property: string): Promise<void> => {
      const inputSchema = { type: 'object', properties: { [property]: {} } };
      const execute = async () => ran.push(property);
      context.offer({ name: 'buy', description: 'Buys.', inputSchema, execute, window: {} });
      await expect.poll(() => seen.at(-1)).toEqual(inputSchema);
    };
    const session = await agent.openSession(agent.createSession());
    await offer('in');
    const sent = session.send('Buy.');
    await expect.poll(() => session.getStatus()).toBe('waiting');
    const [call] = session.getMessages().flatMap(toolParts);
    await session.approve(call?.callId ?? '', { remember: 'session' });
    await sent;
    await session.send('Again.');
    expect(ran).toEqual(['in', 'in']);
    // This name has the same short hash as the other one.
    await offer('jO');
    session.send('Again.').catch(() => {});
    await expect.poll(() => session.getStatus()).toBe('waiting');
    expect(ran).toEqual(['in', 'in']);
    stop();
  });

  it('gives an agent the tools as they come and go, and holds their calls', async () => {
    const client = createScriptedClient([[reply.call('page_buy', { a: 1, b: 2 })], [reply.text('Bought.')]]);
    const agent = createAgent({ client });
    const seen: (readonly string[])[] = [];
    const wrapped = vi.fn((tool: Tool) => tool);
    const { stop, isSupported } = followPageTools(agent, {
      wrap: wrapped,
      onChange: (tools) => seen.push(tools.map(({ name }) => name)),
    });
    expect(isSupported).toBe(true);
    context.offer({
      name: 'buy',
      description: 'Buys.',
      inputSchema: numbers,
      execute: async (input) => ran.push(input),
      window: {},
    });
    await expect.poll(() => seen.at(-1)).toEqual(['buy']);
    expect(wrapped).toHaveBeenCalledWith(expect.objectContaining({ name: 'page_buy' }));
    const session = await agent.openSession(agent.createSession());
    const sent = session.send('Buy.');
    await expect.poll(() => session.getStatus()).toBe('waiting');
    expect(ran).toEqual([]);
    const [call] = session.getMessages().flatMap(toolParts);
    await session.approve(call?.callId ?? '');
    await sent;
    expect(ran).toEqual([{ a: 1, b: 2 }]);
    expect(session.getMessages().flatMap(toolParts)[0]?.summary).toBe('buy of https://page.example');
    context.withdraw('buy');
    await expect.poll(() => seen.at(-1)).toEqual([]);
    expect(agent.removeTool('page_buy')).toBe(false);
    stop();
    context.offer({ name: 'late', description: 'l', execute: async () => 0, window: {} });
    await new Promise((resolve) => setTimeout(resolve));
    expect(agent.removeTool('page_late')).toBe(false);
  });

  it('lists once in each pause, however often a frame says that its tools have changed', async () => {
    vi.useFakeTimers();
    try {
      const agent = createAgent({ client: createScriptedClient([]) });
      const spy = vi.spyOn(context, 'getTools');
      const { stop } = followPageTools(agent);
      const flood = (): void => {
        for (let index = 0; index < 1_000; index += 1) context.dispatchEvent(new Event('toolchange'));
      };
      flood();
      expect(spy).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(250);
      expect(spy).toHaveBeenCalledTimes(2);
      flood();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(spy).toHaveBeenCalledTimes(3);
      flood();
      stop();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(spy.mock.calls.length).toBeLessThanOrEqual(4);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps a later list where an earlier one comes after it, and takes none after its end', async () => {
    const agent = createAgent({ client: createScriptedClient([]) });
    const list = context.getTools.bind(context);
    /** Waits as long as two lists take from here on. */
    const listed = async (): Promise<void> => {
      for (let nth = 0; nth < 2; nth++) await listPageTools();
    };
    const gates = [createGate(), createGate()];
    let nth = 0;
    vi.spyOn(context, 'getTools').mockImplementation(async (options) => {
      const gate = gates[nth++];
      // What the browser had when it was asked.
      const tools = await list(options);
      await gate?.opened;
      return tools;
    });
    const offer = (name: string): void =>
      context.offer({ name, description: 'D.', inputSchema: numbers, execute: async () => 0, window: {} });
    const seen: (readonly string[])[] = [];
    offer('first');
    const { stop } = followPageTools(agent, { onChange: (tools) => seen.push(tools.map(({ name }) => name)) });
    context.withdraw('first');
    offer('second');
    // Both changes within the pause are one list.
    await expect.poll(() => nth).toBe(2);
    gates[1]?.open();
    await expect.poll(() => seen).toEqual([['second']]);
    gates[0]?.open();
    await listed();
    expect(seen).toEqual([['second']]);
    expect([agent.removeTool('page_first'), agent.removeTool('page_second')]).toEqual([false, true]);

    const [last, before] = [createGate(), nth];
    gates[before] = last;
    offer('late');
    await expect.poll(() => nth).toBe(before + 1);
    stop();
    last.open();
    await listed();
    expect(seen).toEqual([['second']]);
    expect(agent.removeTool('page_late')).toBe(false);
  });
});
