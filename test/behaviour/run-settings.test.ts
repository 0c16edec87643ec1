import {
  type Agent,
  type AgentSession,
  createAgent,
  defineOutput,
  defineTool,
  type LLMRequest,
  type RunOptions,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { callsOf } from '../support/stage.ts';

const output = defineOutput({
  name: 'sum',
  schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
});
const spec = { name: output.name, schema: output.schema, strict: output.strict };

/** Everything that can be stored of a run's options, and what a request shows of it. */
const options = {
  model: 'm2',
  temperature: 0.2,
  maxTokens: 50,
  providerParams: { seed: 1 },
  output,
} satisfies RunOptions;
const shown = { ...options, output: spec };

const shownBy = ({ model, temperature, maxTokens, providerParams, output: asked }: LLMRequest): object => ({
  model,
  temperature,
  maxTokens,
  providerParams,
  output: asked && { name: asked.name, schema: asked.schema, strict: asked.strict },
});

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object', properties: {} },
  needsApproval: true,
  execute: () => 'paid',
});
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' },
  execute: () => 'seen',
});

/** An agent, and a page that is opened later on the same store. */
function setUp(...scripts: readonly Script[]) {
  const store = createMemoryStore();
  const client = createScriptedClient([...scripts]);
  const open = (): Agent => createAgent({ client, store, model: 'm1', tools: [pay, look], maxSteps: 3 });
  const agent = open();
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('There is no session.');
  /** The session in a page of its own, once all is stored. */
  const reload = async (): Promise<AgentSession> => {
    await session.flushed();
    return open().openSession(session.id);
  };
  return { client, session, reload };
}

const answered = reply.text('{"n":1}');

describe('what a run was asked to do counts again', () => {
  test('when it is resumed after an interruption, also in another page', async () => {
    const { client, session, reload } = setUp([reply.text('Half'), reply.cut()], [answered], [answered]);
    expect((await session.send('q', options)).outcome).toBe('interrupted');
    const later = await reload();
    expect((await later.resume()).outcome).toBe('completed');
    expect(client.requests.map(shownBy)).toEqual([shown, shown]);
  });

  test('when it is resumed after a limit, with new options laid over', async () => {
    const { client, session } = setUp([reply.call('look')], [reply.call('look')], [answered]);
    expect((await session.send('q', { ...options, maxSteps: 1 })).outcome).toBe('limit');
    expect((await session.resume()).outcome).toBe('limit');
    expect((await session.resume({ maxSteps: 2, model: 'm3' })).outcome).toBe('completed');
    expect(client.requests.map(shownBy)).toEqual([shown, shown, { ...shown, model: 'm3' }]);
  });

  test('when it is approved after a reload', async () => {
    const { client, session, reload } = setUp([reply.call('pay')], [answered]);
    void session.send('q', options);
    await expect.poll(session.getStatus).toBe('waiting');
    const later = await reload();
    await later.approve(callsOf(later)[0]?.callId ?? '');
    await expect.poll(later.getStatus).toBe('idle');
    expect(client.requests.map(shownBy)).toEqual([shown, shown]);
  });

  test('when it is regenerated, also when other runs came in between', async () => {
    const { client, session } = setUp([answered], [answered], [answered]);
    await session.send('q', options);
    const [question] = session.getMessages();
    await session.send('and?', { model: 'm4' });
    await session.regenerate(question?.id);
    expect(client.requests.map(shownBy)).toEqual([shown, expect.objectContaining({ model: 'm4' }), shown]);
  });

  test('when a queued message is admitted, also in another page', async () => {
    const { client, session, reload } = setUp([reply.call('pay')], [answered], [answered]);
    void session.send('first');
    await expect.poll(session.getStatus).toBe('waiting');
    void session.send('second', { ...options, whenBusy: 'queue' });
    const later = await reload();
    await later.approve(callsOf(later)[0]?.callId ?? '');
    await expect.poll(() => client.requests.length).toBe(3);
    expect(client.requests.map(shownBy)[2]).toEqual(shown);
  });

  test('in a fork', async () => {
    const store = createMemoryStore();
    const client = createScriptedClient([[answered], [answered]]);
    const agent = createAgent({ client, store });
    const session = agent.getSession(agent.createSession());
    await session?.send('q', options);
    const fork = await agent.openSession(await agent.forkSession(session?.id ?? ''));
    await fork.regenerate();
    expect(client.requests.map(shownBy)).toEqual([shown, shown]);
  });
});

describe('what cannot be stored of a run', () => {
  const mine = (): ReturnType<typeof createScriptedClient> =>
    createScriptedClient([[reply.text('a'), reply.cut()], [answered]]);

  test('counts again in the same page', async () => {
    const { client, session } = setUp();
    const own = mine();
    await session.send('q', { client: own });
    expect((await session.resume()).outcome).toBe('completed');
    expect([own.requests.length, client.requests.length]).toEqual([2, 0]);
  });

  test('is asked for in another page: a scratch', async () => {
    const handed: RunOptions = { scratch: 'It is Tuesday.' };
    const { client, session, reload } = setUp([reply.text('a'), reply.cut()], [answered], [answered]);
    await session.send('q', handed);
    const later = await reload();
    const before = later.getState();
    expect(() => later.resume()).toThrow(
      expect.objectContaining({ code: 'MISSING_OPTION', message: expect.stringContaining('`scratch`') as string }),
    );
    expect(() => later.regenerate()).toThrow(expect.objectContaining({ code: 'MISSING_OPTION' }));
    expect(later.getState()).toBe(before);
    expect(client.requests).toHaveLength(1);
    expect((await later.resume(handed)).outcome).toBe('completed');
  });

  test('ends a run that goes on by itself without it, with an error that names it; resume goes on, and nothing is lost', async () => {
    const { client, session, reload } = setUp([reply.call('pay')], [answered]);
    void session.send('q', { scratch: 'Now.' });
    await expect.poll(session.getStatus).toBe('waiting');
    const later = await reload();
    await later.approve(callsOf(later)[0]?.callId ?? '');
    await expect.poll(later.getStatus).toBe('failed');
    expect(later.getState().run?.error).toMatchObject({ code: 'MISSING_OPTION' });
    expect(callsOf(later)).toMatchObject([{ status: 'approved' }]);
    expect((await later.resume({ scratch: 'Later.' })).outcome).toBe('completed');
    expect(callsOf(later)).toMatchObject([{ status: 'succeeded' }]);
    expect(client.requests).toHaveLength(2);
  });

  test('is in no event: neither keys, nor functions, nor the text of a scratch', async () => {
    const { session } = setUp([answered]);
    const events: unknown[] = [];
    session.events$.subscribe((event) => events.push(event));
    await session.send('q', { scratch: () => 'secret words', model: 'm2' });
    expect(JSON.stringify(events)).not.toContain('secret words');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'run.started', settings: { model: 'm2', needs: ['scratch'] } }),
    );
  });
});

describe('the options of a run', () => {
  test('are copied as the run starts', async () => {
    const { session } = setUp([answered]);
    const providerParams = { seed: 1 };
    const sent = session.send('q', { providerParams });
    providerParams.seed = 2;
    await sent;
    expect(session.getState().run?.settings).toEqual({ providerParams: { seed: 1 } });
  });

  test('that JSON cannot hold are refused at once, and nothing has happened', () => {
    const { session } = setUp();
    const providerParams: Record<string, never> = JSON.parse('{}');
    Reflect.set(providerParams, 'on', () => {});
    const before = session.getState();
    expect(() => session.send('q', { providerParams })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(session.getState()).toBe(before);
  });

  test('are in no event where the agent’s own count', async () => {
    const { session } = setUp([answered]);
    await session.send('q');
    expect(session.getState().run).not.toHaveProperty('settings');
    expect(session.getMessages().at(-1)).not.toHaveProperty('settings');
  });
});
