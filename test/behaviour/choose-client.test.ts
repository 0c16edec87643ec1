import {
  type Agent,
  type AgentSession,
  createAgent,
  defineTool,
  type LLMClient,
  type LLMRequest,
  type RunOptions,
  type SessionStore,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply, type Script, type ScriptedClient } from 'brooklet/testing';
import { lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createGate } from '../support/gate.ts';
import { callsOf } from '../support/stage.ts';

const answered = [reply.text('Yes.')];
const cut = [reply.text('Half'), reply.cut()];
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object', properties: {} },
  needsApproval: true,
  execute: () => 'paid',
});
const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'seen' });

/** A client of a service: its requests go to this origin. */
function clientAt(origin: string, ...scripts: readonly Script[]): ScriptedClient {
  return Object.assign(createScriptedClient([...scripts]), { origin });
}

function newSession(agent: Agent): AgentSession {
  return agent.getSession(agent.createSession()) ?? expect.unreachable();
}

/** The session in a page that is opened later, whose agent has this client. */
async function reload(session: AgentSession, store: SessionStore, client?: LLMClient) {
  await session.flushed();
  return createAgent({ client, store, tools: [pay, look] }).openSession(session.id);
}

const missing: object = expect.objectContaining({ code: 'MISSING_CLIENT' });
const asked = ({ model, providerParams }: LLMRequest): object => ({ model, providerParams });

describe('an agent without a client', () => {
  test('opens, shows and changes sessions', async () => {
    const agent = createAgent({});
    const session = newSession(agent);
    session.addMessage({ role: 'user', content: 'Hello' });
    session.rename('Greeting');
    expect(agent.getClient()).toBeUndefined();
    expect(session.getState()).toMatchObject({ title: 'Greeting', messages: [{ role: 'user' }] });
    await agent.dispose();
  });

  test('refuses what needs a model, and has changed nothing', async () => {
    const agent = createAgent({});
    const session = newSession(agent);
    const messageId = session.addMessage({ role: 'user', content: 'Hello' });
    const before = session.getState();
    expect(() => session.send('x')).toThrow(missing);
    expect(() => session.send('x', { whenBusy: 'queue' })).toThrow(missing);
    expect(() => session.regenerate()).toThrow(missing);
    await expect(session.edit(messageId, 'Hi')).rejects.toEqual(missing);
    await expect(lastValueFrom(agent.chat(session.id, 'x'))).rejects.toEqual(missing);
    expect(session.getState()).toBe(before);
  });

  test('answers with the client of the run', async () => {
    const client = createScriptedClient([answered]);
    const session = newSession(createAgent({}));
    expect((await session.send('x', { client })).outcome).toBe('completed');
  });

  test('answers once it has one: what was refused can be sent again', async () => {
    const agent = createAgent({});
    const session = newSession(agent);
    expect(() => session.send('x')).toThrow(missing);
    agent.setClient(createScriptedClient([answered]));
    expect((await session.send('x')).outcome).toBe('completed');
  });

  test('takes the decision on a call of an earlier visit; the run fails, and goes on once there is a client', async () => {
    const store = createMemoryStore();
    const session = newSession(
      createAgent({ client: createScriptedClient([[reply.call('pay')]]), store, tools: [pay] }),
    );
    void session.send('x');
    await expect.poll(session.getStatus).toBe('waiting');
    await session.flushed();
    const agent = createAgent({ store, tools: [pay] });
    const later = await agent.openSession(session.id);
    await later.approve(callsOf(later)[0]?.callId ?? '');
    await expect.poll(later.getStatus).toBe('failed');
    expect(later.getState().run?.error).toEqual(missing);
    agent.setClient(createScriptedClient([answered]));
    expect((await later.resume()).outcome).toBe('completed');
    expect(callsOf(later)).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('setClient', () => {
  test('tells who listens, from the present client on', () => {
    const [first, second] = [createScriptedClient([]), createScriptedClient([])];
    const agent = createAgent({ client: first });
    const seen: unknown[] = [];
    agent.client$.subscribe((client) => seen.push(client));
    agent.setClient(second);
    agent.setClient(second, { model: 'm' });
    agent.setClient(undefined);
    expect(seen).toEqual([first, second, undefined]);
  });

  test('leaves model and parameters of the first client behind, and takes those that are given', async () => {
    const [first, second, third] = [1, 2, 3].map(() => createScriptedClient([answered]));
    if (!first || !second || !third) return expect.unreachable();
    const agent = createAgent({ client: first, model: 'm1', providerParams: { seed: 1 }, maxTokens: 5 });
    const session = newSession(agent);
    await session.send('1');
    agent.setClient(second);
    await session.send('2');
    const providerParams = { top_p: 0.5 };
    agent.setClient(third, { model: 'm3', providerParams, maxTokens: 7 });
    providerParams.top_p = 1;
    await session.send('3');
    expect([first, second, third].flatMap(({ requests }) => requests.map(asked))).toEqual([
      { model: 'm1', providerParams: { seed: 1 } },
      { model: undefined, providerParams: undefined },
      { model: 'm3', providerParams: { top_p: 0.5 } },
    ]);
    expect([first, second, third].map(({ requests }) => requests[0]?.maxTokens)).toEqual([5, 5, 7]);
  });

  test('changes the window of sessions that are open', () => {
    const agent = createAgent({ client: createScriptedClient([]), contextWindow: 1_000 });
    const session = newSession(agent);
    expect(session.getContext()?.window).toBe(1_000);
    agent.setClient(createScriptedClient([]), { contextWindow: 9_000 });
    expect(session.getContext()?.window).toBe(9_000);
    expect(session.getContext()).toBe(session.getContext());
    agent.setClient(createScriptedClient([]));
    expect(session.getContext()?.window).toBe(1_000);
  });

  test('refuses what is no client, and an option that it does not have: the client stays', () => {
    const client = createScriptedClient([]);
    const agent = createAgent({ client });
    const refused: object = expect.objectContaining({ code: 'INVALID_CONFIG' });
    const set = (...args: readonly unknown[]): unknown => Reflect.apply(agent.setClient, agent, args);
    expect(() => set({})).toThrow(refused);
    expect(() => set(client, { modle: 'm' })).toThrow(refused);
    expect(() => set(client, { contextWindow: -1 })).toThrow(refused);
    expect(() => set(undefined, { model: 'm' })).toThrow(refused);
    expect(agent.getClient()).toBe(client);
  });

  test('lets the request under way end with its client; the next one of the run goes to the new client', async () => {
    const gate = createGate();
    const first = createScriptedClient([[reply.until(gate.opened), reply.call('look')]]);
    const second = createScriptedClient([answered]);
    const agent = createAgent({ client: first, model: 'm1', tools: [look] });
    const session = newSession(agent);
    const sent = session.send('x');
    await expect.poll(() => first.requests.length).toBe(1);
    agent.setClient(second, { model: 'm2' });
    gate.open();
    expect((await sent).outcome).toBe('completed');
    expect([first, second].map(({ requests }) => requests.map(({ model }) => model))).toEqual([['m1'], ['m2']]);
  });

  test('takes the client from a run under way: its next request fails, and the run goes on with another', async () => {
    const gate = createGate();
    const agent = createAgent({
      client: createScriptedClient([[reply.until(gate.opened), reply.call('look')]]),
      tools: [look],
    });
    const session = newSession(agent);
    const sent = session.send('x');
    agent.setClient(undefined);
    gate.open();
    await expect(sent).resolves.toMatchObject({ outcome: 'failed', error: { code: 'MISSING_CLIENT' } });
    agent.setClient(createScriptedClient([answered]));
    expect((await session.resume()).outcome).toBe('completed');
  });
});

describe('what was asked with a client of its own', () => {
  const options = { model: 'own', providerParams: { seed: 1 }, maxTokens: 9 } satisfies RunOptions;

  test.each(['resume', 'regenerate'] as const)(
    'goes on in another page with the agent’s client, by its model: %s',
    async (verb) => {
      const store = createMemoryStore();
      const session = newSession(createAgent({ store }));
      await session.send('x', { ...options, client: createScriptedClient([cut]) });
      const present = createScriptedClient([answered]);
      const later = await reload(session, store, present);
      expect((await later[verb]()).outcome).toBe('completed');
      expect(present.requests).toMatchObject([{ maxTokens: 9 }]);
      expect(present.requests.map(asked)).toEqual([{ model: undefined, providerParams: undefined }]);
    },
  );

  test('goes on with the client that a person gives, by its own model again', async () => {
    const store = createMemoryStore();
    const session = newSession(createAgent({ store }));
    await session.send('x', { ...options, client: createScriptedClient([cut]) });
    const [present, own] = [createScriptedClient([]), createScriptedClient([answered])];
    const later = await reload(session, store, present);
    expect((await later.resume({ client: own })).outcome).toBe('completed');
    expect(own.requests.map(asked)).toEqual([{ model: 'own', providerParams: { seed: 1 } }]);
    expect(present.requests).toEqual([]);
  });

  test('keeps its model where the agent’s client is of the same service, and loses it at another', async () => {
    for (const origin of ['https://a.example', 'https://b.example']) {
      const store = createMemoryStore();
      const session = newSession(createAgent({ store }));
      await session.send('x', { ...options, client: clientAt('https://a.example', cut) });
      const present = clientAt(origin, answered);
      const later = await reload(session, store, present);
      await later.resume();
      expect(present.requests.map(({ model }) => model)).toEqual([origin.includes('a.') ? 'own' : undefined]);
    }
  });

  test('goes on after a decision with the agent’s client', async () => {
    const store = createMemoryStore();
    const session = newSession(createAgent({ store, tools: [pay] }));
    void session.send('x', { ...options, client: createScriptedClient([[reply.call('pay')]]) });
    await expect.poll(session.getStatus).toBe('waiting');
    const present = createScriptedClient([answered]);
    const later = await reload(session, store, present);
    await later.approve(callsOf(later)[0]?.callId ?? '');
    await expect.poll(later.getStatus).toBe('idle');
    expect(present.requests.map(asked)).toEqual([{ model: undefined, providerParams: undefined }]);
  });

  test('states in another page that no client is set, and waits', async () => {
    const store = createMemoryStore();
    const session = newSession(createAgent({ store }));
    await session.send('x', { client: createScriptedClient([cut]) });
    const later = await reload(session, store);
    const before = later.getState();
    expect(() => later.resume()).toThrow(missing);
    expect(later.getState()).toBe(before);
  });
});

describe('a run that named a model', () => {
  test('goes to another service without the name when the agent has changed its client', async () => {
    const [first, second] = [clientAt('https://a.example', cut), clientAt('https://b.example', answered)];
    const agent = createAgent({ client: first });
    const session = newSession(agent);
    await session.send('x', { model: 'm1', temperature: 0.2 });
    agent.setClient(second);
    await session.resume();
    expect(second.requests).toMatchObject([{ temperature: 0.2 }]);
    expect(second.requests.map(({ model }) => model)).toEqual([undefined]);
  });

  test('loses the name within the run', async () => {
    const gate = createGate();
    const first = clientAt('https://a.example', [reply.until(gate.opened), reply.call('look')]);
    const second = clientAt('https://b.example', answered);
    const agent = createAgent({ client: first, tools: [look] });
    const sent = newSession(agent).send('x', { model: 'm1' });
    agent.setClient(second, { model: 'm2' });
    gate.open();
    await sent;
    expect([first, second].map(({ requests }) => requests.map(({ model }) => model))).toEqual([['m1'], ['m2']]);
  });

  test('is answered again by another model: regenerate with a client', async () => {
    const agent = createAgent({ client: clientAt('https://a.example', answered) });
    const session = newSession(agent);
    await session.send('x', { model: 'm1' });
    const [question] = session.getMessages();
    const other = clientAt('https://b.example', answered);
    await session.regenerate(question?.id, { client: other });
    expect(other.requests.map(({ model }) => model)).toEqual([undefined]);
    expect(session.alternatives(session.getMessages()[1]?.id ?? '').ids).toHaveLength(2);
  });
});
