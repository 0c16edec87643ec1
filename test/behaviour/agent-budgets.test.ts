import { agentTool } from 'brooklet/agents';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled, type Asked } from '../support/manual-client.ts';
import { ask, callsOf, recorded, sessionOf, stage, statusesOf } from '../support/stage.ts';

const task = '{"task":"Find it."}';
/** One unit of money for each token of output. */
const cost = ({ output }: { readonly output: number }): number => output;
const use = (asked: Asked, output: number): void => asked.chunks.next({ type: 'usage', usage: { input: 1, output } });

/** An agent with a tool that is an agent, where each answer has at most 10 tokens. */
function purse(budget: object, child: object = {}, more: object = {}) {
  const below = createManualClient();
  const research = agentTool({
    name: 'research',
    description: 'Researches.',
    options: { client: below, maxTokens: 10, tools: [recorded('look').tool], ...child },
    ...more,
  });
  const store = createMemoryStore();
  const s = stage({ tools: [research], store, budget, maxTokens: 10, context: { cost } });
  return { ...s, below, store, research };
}

describe('a budget of a tree', () => {
  test('is one account of money: a request below is refused where its highest cost does not fit, and nothing is lost', async () => {
    const s = purse({ money: 25 });
    void s.session.send('go');
    await settled();
    use(s.client.last(), 8);
    call(s.client.last(), ['research', task]);
    await settled();
    use(s.below.last(), 9);
    call(s.below.last(), ['look', '{}']);
    await settled();
    // 17 are used, and 10 more may be.
    expect(s.below.asked).toHaveLength(1);
    const child = sessionOf(s.agent, callsOf(s.session)[0]?.session ?? '');
    expect(child.getState().run).toMatchObject({ outcome: 'limit', limit: 'money', account: s.session.id });
    expect(s.session.getState().run).toMatchObject({ outcome: 'limit', limit: 'money' });
    expect(s.session.getState().run?.account).toBeUndefined();
    expect(statusesOf(s.session)).toEqual(['uncertain']);
    const resumed = s.session.resume();
    await settled();
    expect(s.below.asked).toHaveLength(2);
    say(s.below.last(), 'Found.');
    await settled();
    say(s.client.last(), 'Done.');
    expect((await resumed).outcome).toBe('completed');
  });

  test('lets requests that do not fit beside each other take turns', async () => {
    const s = purse({ money: 25 });
    void s.session.send('go');
    await settled();
    use(s.client.last(), 2);
    call(s.client.last(), ['research', task], ['research', task], ['research', task]);
    await settled();
    expect(s.below.asked).toHaveLength(2);
    for (const asked of s.below.asked) {
      use(asked, 1);
      say(asked, 'Found.');
    }
    await settled();
    expect(s.below.asked).toHaveLength(3);
    expect(s.session.getStatus()).toBe('running');
  });

  test('reserves all that is left for an answer without a limit of its own', async () => {
    const s = purse({ money: 25 }, { maxTokens: undefined });
    void s.session.send('go');
    await settled();
    use(s.client.last(), 2);
    call(s.client.last(), ['research', task], ['research', task]);
    await settled();
    expect(s.below.asked).toHaveLength(1);
    use(s.below.last(), 3);
    say(s.below.last(), 'Found.');
    await settled();
    expect(s.below.asked).toHaveLength(2);
  });

  test('counts a reply that was cut off as what was reserved for it', async () => {
    const s = purse({ money: 25 });
    void s.session.send('go');
    await settled();
    s.client.last().chunks.next({ type: 'text', text: 'So' });
    s.client.last().chunks.error(new Error('no'));
    await settled();
    expect(s.session.getState().run).toMatchObject({ outcome: 'interrupted', cost: 10 });
  });

  test('ends the tree by the number of requests', async () => {
    const s = purse({ steps: 2 });
    await ask(s, ['research', task]);
    call(s.below.last(), ['look', '{}']);
    await settled();
    expect(s.below.asked).toHaveLength(1);
    expect(s.session.getState().run).toMatchObject({ outcome: 'limit', limit: 'steps' });
  });

  test('ends the tree by its tokens, which those below have used', async () => {
    const s = purse({ tokens: 30 });
    void s.session.send('go');
    await settled();
    use(s.client.last(), 5);
    call(s.client.last(), ['research', task]);
    await settled();
    use(s.below.last(), 40);
    say(s.below.last(), 'Found.');
    await settled();
    expect(callsOf(s.session)[0]?.status).toBe('succeeded');
    expect(s.session.getState().run).toMatchObject({
      outcome: 'limit',
      limit: 'tokens',
      children: { tokens: 41, steps: 1 },
    });
  });

  test('of one call fails the call only', async () => {
    const s = purse({ money: 1000 }, {}, { budget: { steps: 1 } });
    await ask(s, ['research', task]);
    call(s.below.last(), ['look', '{}']);
    await settled();
    expect(callsOf(s.session)[0]).toMatchObject({ status: 'failed' });
    expect(s.client.asked).toHaveLength(2);
  });

  test('of money is refused at the start where the price of the model is unknown', () => {
    const s = stage({ budget: { money: 1 } });
    expect(() => s.session.send('go')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    const unknown = stage({ model: 'new', context: { cost: () => undefined } });
    expect(() => unknown.session.send('go', { budget: { money: 1 } })).toThrow(/"new"/);
    expect(s.client.asked).toHaveLength(0);
  });

  test.each([-1, 0, NaN, Infinity])('of money is no %d', (money) => {
    expect(() => stage({ budget: { money } })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    expect(() => purse({}, {}, { budget: { money } })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    const s = stage();
    expect(() => s.session.send('go', { budget: { money } })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});

test('an agent that calls itself ends at its depth', async () => {
  const client = createManualClient();
  const errors: unknown[] = [];
  const self = agentTool({ name: 'self', description: 'Itself.', agent: () => s.agent, maxDepth: 3 });
  const s = stage({ client, tools: [self], onError: (error) => void errors.push(error) });
  void s.session.send('go');
  for (let depth = 0; depth < 3; depth++) {
    await settled();
    call(client.last(), ['self', task]);
  }
  await settled();
  expect(errors).toMatchObject([{ code: 'TOO_DEEP' }]);
  expect(client.asked).toHaveLength(4);
});

test('of 1,000 calls of an agent some run at a time, and all end', async () => {
  const below = createManualClient();
  const each = agentTool({ name: 'each', description: 'Each.', options: { client: below }, concurrency: 5 });
  const s = stage({ tools: [each] });
  void s.session.send('go');
  await settled();
  call(s.client.last(), ...Array.from({ length: 1000 }, () => ['each', task] as const));
  let most = 0;
  for (let done = 0; done < 1000;) {
    await settled();
    most = Math.max(most, below.asked.length - done);
    for (const asked of below.asked.slice(done)) {
      say(asked, 'Yes.');
      done++;
    }
  }
  await settled();
  expect(most).toBe(5);
  expect(statusesOf(s.session).every((status) => status === 'succeeded')).toBe(true);
});
