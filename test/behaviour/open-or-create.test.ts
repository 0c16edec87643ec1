import {
  AgentError,
  createAgent,
  type AgentSession,
  defineTool,
  extractTextContent,
  type SessionStore,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createBrowser } from '../support/tabs.ts';
import { untyped } from '../support/untyped.ts';

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));
const client = createScriptedClient(() => [reply.text('Hello to you.')]);

describe.each([
  ['without a store', () => undefined],
  ['with a store', () => createMemoryStore()],
])('%s, `create`', (_name, createStore) => {
  const stage = () => {
    const store = createStore();
    return createAgent({ client, ...(store && { store }) });
  };

  test('makes a session of an id that was never stored', async () => {
    const agent = stage();
    const session = await agent.openSession('of-the-address', { create: true });
    expect(session.id).toBe('of-the-address');
    expect(session.getMessages()).toEqual([]);
    expect((await session.send('Hello')).outcome).toBe('completed');
    expect(agent.getSession('of-the-address')).toBe(session);
  });

  test('makes one session of two calls at once', async () => {
    const agent = stage();
    const [one, two] = await Promise.all([
      agent.openSession('a', { create: true }),
      agent.openSession('a', { create: true }),
    ]);
    expect(one).toBe(two);
  });

  test('is not refused because a call without it was first', async () => {
    const agent = stage();
    const plain = agent.openSession('a');
    const creating = agent.openSession('a', { create: true });
    await expect(plain).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect((await creating).id).toBe('a');
  });

  test('returns the session that `createSession` has made meanwhile', async () => {
    const agent = stage();
    const opening = agent.openSession('a', { create: true });
    agent.createSession({ id: 'a', metadata: { from: 'createSession' } });
    expect((await opening).getState().metadata).toEqual({ from: 'createSession' });
  });

  test('does not make an empty session of a removed one', async () => {
    const agent = stage();
    const session = await agent.openSession('a', { create: true });
    await session.send('Hello');
    agent.removeSession('a');
    await expect(agent.openSession('a', { create: true })).rejects.toMatchObject({
      code: 'SESSION_REMOVED',
      message: 'This conversation was deleted. Start a new one.',
    });
    await agent.removed('a');
    await expect(agent.openSession('a', { create: true })).rejects.toMatchObject({ code: 'SESSION_REMOVED' });
    expect(agent.getSession('a')).toBeUndefined();
  });

  test('gives a new session its instructions and tools', async () => {
    const clock = defineTool({ name: 'clock', description: '', input: { type: 'object' }, execute: () => 'noon' });
    const calling = createScriptedClient([[reply.call('clock', {})], [reply.text('Noon.')]]);
    const store = createStore();
    const agent = createAgent({ client: calling, ...(store && { store }) });
    const session = await agent.openSession('a', { create: true, instructions: 'Be brief.', tools: [clock] });
    expect((await session.send('What time is it?')).outcome).toBe('completed');
    expect(calling.requests[0]?.messages[0]).toMatchObject({ role: 'system' });
  });

  test.each([[undefined], [null], [''], [7], [{}], ['x'.repeat(1001)]])('refuses the id %j at once', async (id) => {
    const agent = stage();
    await expect(agent.openSession(untyped(id), { create: true })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(agent.openSession(untyped(id))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test.each([['yes'], [1], [null]])('refuses the value %j', async (create) => {
    await expect(stage().openSession('a', untyped({ create }))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('makes no session after the agent was disposed of', async () => {
    const agent = stage();
    const opening = agent.openSession('a', { create: true });
    await agent.dispose();
    await expect(opening).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(agent.openSession('a', { create: true })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('a stored session', () => {
  test('opens with its messages, and is not created again', async () => {
    const store = createMemoryStore();
    const session = await createAgent({ client, store }).openSession('a', { create: true });
    await session.send('Hello');
    await session.flushed();
    const again = await createAgent({ client, store }).openSession('a', { create: true });
    expect(texts(again)).toEqual(['Hello', 'Hello to you.']);
    expect((await store.list()).sessions).toHaveLength(1);
  });

  test('opens read-only when it is damaged', async () => {
    const store = createMemoryStore();
    const session = await createAgent({ client, store }).openSession('a', { create: true });
    await session.send('Hello');
    await session.flushed();
    const damaged: SessionStore = {
      ...store,
      async read(...args) {
        const stored = await store.read(...args);
        return stored && { ...stored, damage: 'one of its events' };
      },
    };
    const again = await createAgent({ client, store: damaged }).openSession('a', { create: true });
    expect(again.getStorage().state).toBe('read-only');
    expect(texts(again)).toEqual(['Hello', 'Hello to you.']);
  });

  test.each(['STORAGE_LOCKED', 'STORAGE_BLOCKED', 'STORAGE_CORRUPT'] as const)(
    'is not replaced by an empty one when its store answers %s',
    async (code) => {
      const refused = new AgentError('The store does not answer.', { code });
      const writes: unknown[] = [];
      const fail = { read: () => Promise.reject(refused), write: async (write: unknown) => void writes.push(write) };
      const agent = createAgent({ client, store: { ...createMemoryStore(), ...fail } });
      await expect(agent.openSession('a', { create: true })).rejects.toBe(refused);
      expect(agent.getSession('a')).toBeUndefined();
      expect(writes).toEqual([]);
    },
  );

  test('is not created when the store cannot say whether it was removed', async () => {
    const refused = new AgentError('The store does not answer.', { code: 'STORAGE_FAILED' });
    const store = { ...createMemoryStore(), wasRemoved: () => Promise.reject(refused) };
    const agent = createAgent({ client, store });
    await expect(agent.openSession('a', { create: true })).rejects.toBe(refused);
    expect(agent.getSession('a')).toBeUndefined();
  });

  test('that was removed by this agent is not created in a store that does not remember removals', async () => {
    const { wasRemoved: _wasRemoved, ...forgetful } = createMemoryStore();
    const store: SessionStore = forgetful;
    const agent = createAgent({ client, store });
    await (await agent.openSession('a', { create: true })).flushed();
    agent.removeSession('a');
    await expect(agent.openSession('a', { create: true })).rejects.toMatchObject({ code: 'SESSION_REMOVED' });
  });

  test('opens again after its removal was undone', async () => {
    const agent = createAgent({ client, store: createMemoryStore() });
    const session = await agent.openSession('a', { create: true });
    await session.send('Hello');
    await session.flushed();
    agent.removeSession('a');
    expect(await agent.restoreSession('a')).toBe(true);
    expect(texts(await agent.openSession('a', { create: true }))).toEqual(['Hello', 'Hello to you.']);
  });
});

describe('two tabs that create the same id at once', () => {
  async function twoTabs() {
    const browser = createBrowser();
    const [clientA, clientB] = [createManualClient(), createManualClient()];
    const [one, two] = [browser.open({ client: clientA }), browser.open({ client: clientB })];
    const [a, b] = await Promise.all([
      one.agent.openSession('a', { create: true }),
      two.agent.openSession('a', { create: true }),
    ]);
    return { browser, a, b, clientA, clientB };
  }

  test('share one empty session', async () => {
    const { browser, a, b } = await twoTabs();
    await settled();
    expect(b.getState()).toEqual(a.getState());
    const { events = [] } = (await browser.store.read('a')) ?? {};
    expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
    expect([a.getStorage().state, b.getStorage().state]).toEqual(['saved', 'saved']);
  });

  test('keep the messages of both, which are answered one after the other', async () => {
    const { browser, a, b, clientA, clientB } = await twoTabs();
    const sent = [a.send('From the first tab'), b.send('From the second tab', { whenBusy: 'queue' })];
    await settled();
    // A request that was aborted, because the other tab was first, hears nothing.
    for (let turn = 0; turn < 2; turn++) {
      for (const asked of [...clientA.asked, ...clientB.asked]) say(asked, 'An answer');
      await settled();
    }
    expect((await Promise.all(sent)).map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    await settled();
    expect(texts(a)).toEqual(expect.arrayContaining(['From the first tab', 'From the second tab']));
    expect(b.getState()).toEqual(a.getState());
    const { events = [] } = (await browser.store.read('a')) ?? {};
    expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
  });
});

describe('without `create`, a session that the store does not have', () => {
  test('was deleted where a person has removed it', async () => {
    const agent = createAgent({ client, store: createMemoryStore() });
    const session = await agent.openSession(agent.createSession());
    await session.send('Hello');
    agent.removeSession(session.id);
    await agent.removed(session.id);
    await expect(agent.openSession(session.id)).rejects.toMatchObject({
      code: 'SESSION_REMOVED',
      message: 'This conversation was deleted. Start a new one.',
    });
  });

  test('may have been erased by the browser where no person has removed it', async () => {
    const first = createAgent({ client, store: createMemoryStore() });
    const session = await first.openSession(first.createSession());
    await session.send('Hello');
    await session.flushed();
    // The next visit, after the browser has erased the data of the site.
    const store = createMemoryStore();
    const next = createAgent({ client, store });
    await expect(next.openSession(session.id)).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: expect.stringContaining('this one has erased it (Safari does so after seven days without a visit)'),
    });
    expect(await store.wasRemoved?.(session.id)).toBe(false);
  });
});

describe('a session that is restored while it is being opened', () => {
  test.each(['read', 'wasRemoved'] as const)(
    'is what every caller gets, the %s of the store being slow',
    async (slow) => {
      const memory = createMemoryStore();
      const gates: (() => void)[] = [];
      const passed = (): Promise<void> => new Promise((resolve) => gates.push(resolve));
      let isSlow = false;
      const store: SessionStore = {
        ...memory,
        async read(...args) {
          const stored = await memory.read(...args);
          if (isSlow && slow === 'read') await passed();
          return stored;
        },
        async wasRemoved(sessionId) {
          const was = (await memory.wasRemoved?.(sessionId)) ?? false;
          if (isSlow && slow === 'wasRemoved') await passed();
          return was;
        },
      };
      const agent = createAgent({ client, store });
      const session = await agent.openSession(agent.createSession());
      await session.send('Hello');
      agent.removeSession(session.id);
      await agent.removed(session.id);

      isSlow = true;
      // As a hook does that still shows the session.
      const before = agent.openSession(session.id);
      const creating = agent.openSession(session.id, { create: true });
      await settled();
      isSlow = false;
      expect(await agent.restoreSession(session.id)).toBe(true);
      const after = agent.openSession(session.id);
      for (const pass of gates) pass();
      for (const opened of [before, creating, after]) expect(texts(await opened)).toEqual(['Hello', 'Hello to you.']);
      expect(await after).toBe(await before);
    },
  );

  test('is missing for who asked before, where another one was restored', async () => {
    const agent = createAgent({ client, store: createMemoryStore() });
    const session = await agent.openSession(agent.createSession());
    await session.send('Hello');
    agent.removeSession(session.id);
    const [missing] = await Promise.all([
      agent.openSession('never').catch((error: unknown) => error),
      agent.restoreSession(session.id),
    ]);
    expect(missing).toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});
