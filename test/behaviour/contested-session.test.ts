import { AgentError, type AgentSession, defineTool, extractTextContent, type SessionStore, toolParts } from 'brooklet';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { call, say, settled } from '../support/manual-client.ts';
import { twoTabs } from '../support/tabs.ts';

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));
const callIdIn = (session: AgentSession): string => session.getMessages().flatMap(toolParts)[0]?.callId ?? '';

describe('a tab that is alive', () => {
  test('continues its run after a decision, although another tab waits for its lease', async () => {
    const paying = createGate();
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: () => paying.opened.then(() => 'paid'),
    });
    const { a, b, one } = await twoTabs({ tools: [pay] });
    const sent = a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}']);
    await settled();
    await a.approve(callIdIn(a));
    await settled();
    expect([a.getStatus(), b.getStatus()]).toEqual(['running', 'running']);
    paying.open();
    await settled();
    say(one.last(), 'bought');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(b.getState()).toEqual(a.getState());
  });

  test('is not taken for closed when it sends again while another tab still checks how the last run ended', async () => {
    const { browser, a, b, one } = await twoTabs();
    const sent = a.send('one');
    await settled();
    const { read } = browser.store;
    const looking = createGate();
    browser.store.read = (...args) => looking.opened.then(() => read(...args));
    say(one.last(), 're: one');
    expect((await sent).outcome).toBe('completed');
    await settled();
    // The lock was free for a moment, and the other tab holds it now.
    const again = a.send('two');
    await settled();
    looking.open();
    await settled();
    expect(b.getStatus()).toBe('running');
    say(one.last(), 're: two');
    expect((await again).outcome).toBe('completed');
  });

  test('keeps its unsaved events, and the lease until they are stored', async () => {
    let full: AgentError | undefined;
    const spoil = (store: SessionStore): SessionStore => ({
      ...store,
      write: (write) => (full ? Promise.reject(full) : store.write(write)),
    });
    const { a, b, one, first } = await twoTabs({ spoil });
    const sent = a.send('Hello');
    await settled();
    full = new AgentError('full', { code: 'QUOTA_EXCEEDED' });
    say(one.last(), 'A long answer');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(a.getStorage().state).toBe('failed');
    expect(b.getStatus()).toBe('running');
    full = undefined;
    first.ports.pass(60_000);
    await settled();
    expect(texts(a)).toEqual(['Hello', 'A long answer']);
    expect(b.getState()).toEqual(a.getState());
    // Afterwards other tabs may acquire the lease.
    void b.send('Me too');
    await settled();
    expect(b.getStatus()).toBe('running');
  });

  test('is not overwritten by a tab that lost a write to it and had more events to write', async () => {
    const disk = createGate();
    let busy = false;
    const spoil = (store: SessionStore): SessionStore => ({
      ...store,
      write: (write) => (busy ? disk.opened.then(() => store.write(write)) : store.write(write)),
    });
    const { browser, id, a, b, other } = await twoTabs({ spoil });
    busy = true;
    // Both tabs have read the same log, and assign the same numbers to their new events.
    const lost = a.send('from a');
    const sent = b.send('from b');
    await settled();
    a.cancel();
    await settled();
    disk.open();
    await settled();
    expect((await lost).outcome).toBe('cancelled');
    say(other.last(), 're: b');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(texts(b)).toEqual(['from b', 're: b', 'from a']);
    expect(a.getState()).toEqual(b.getState());
    const stored = (await browser.store.read(id))?.events ?? [];
    expect(stored.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  });

  test('continues its own run when it takes over the session', async () => {
    const { a, one } = await twoTabs();
    const sent = a.send('Hello');
    await settled();
    await a.takeOver();
    await settled();
    say(one.last(), 'Hi');
    expect((await sent).outcome).toBe('completed');
  });
});

describe('a tab that has decided, and whose session is taken over before it hears that the decision is stored', () => {
  test('does not drive the run again', async () => {
    const answered = createGate();
    let isSlow = false;
    const spoil = (store: SessionStore): SessionStore => ({
      ...store,
      async write(write) {
        await store.write(write);
        if (isSlow) await answered.opened;
      },
    });
    const runs: string[] = [];
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: (_input, { callId }) => void runs.push(callId),
    });
    const { browser, a, b, one, other } = await twoTabs({ tools: [pay], spoil });
    const sent = a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}']);
    await settled();
    await vi.dynamicImportSettled();
    isSlow = true;
    const approved = a.approve(callIdIn(a));
    await settled();
    const { read } = browser.store;
    const looking = createGate();
    browser.store.read = (...args) => looking.opened.then(() => read(...args));
    const taken = b.takeOver();
    await settled();
    answered.open();
    await approved;
    await settled();
    looking.open();
    await taken;
    await settled();
    expect((await sent).outcome).toBe('interrupted');
    expect([a.getStatus(), b.getStatus(), runs]).toEqual(['interrupted', 'interrupted', []]);
    expect(a.getState()).toEqual(b.getState());
    const resumed = b.resume();
    await settled();
    expect(runs).toHaveLength(1);
    say(other.last(), 'bought');
    expect((await resumed).outcome).toBe('completed');
  });
});

describe('a tab that dies', () => {
  test('is detected by a tab that had just lost a write to it; the message of that tab is sent then', async () => {
    const { a, b, other, first } = await twoTabs();
    void a.send('from a');
    const sent = b.send('from b');
    await settled();
    expect([a.getStatus(), texts(b)]).toEqual(['running', ['from a', '']]);
    first.kill();
    await settled();
    say(other.last(), 're: b');
    expect((await sent).outcome).toBe('completed');
    expect(texts(b)).toEqual(['from a', 'from b', 're: b']);
  });
});

describe('a store that reports wrong results', () => {
  /** Writes, and reports a failed write. */
  function liar(): { readonly spoil: (store: SessionStore) => SessionStore; lies: number } {
    const self = {
      lies: 0,
      spoil: (store: SessionStore): SessionStore => ({
        ...store,
        async write(write) {
          await store.write(write);
          if (self.lies-- > 0) throw new AgentError('lost', { code: 'STORAGE_FAILED' });
        },
      }),
    };
    return self;
  }

  test('causes no duplicate message', async () => {
    const store = liar();
    const { a, b, first } = await twoTabs({ spoil: store.spoil });
    store.lies = 1;
    a.addMessage({ role: 'user', content: 'once' });
    await settled();
    expect(a.getStorage().state).toBe('failed');
    first.ports.pass(60_000);
    await settled();
    expect([texts(a), texts(b)]).toEqual([['once'], ['once']]);
    await a.flushed();
  });

  test('goes on with the run, and loses no message', async () => {
    const store = liar();
    const { a, one } = await twoTabs({ spoil: store.spoil });
    store.lies = 1;
    const sent = a.send('once');
    await settled();
    say(one.last(), 'answer');
    expect((await sent).outcome).toBe('completed');
    await a.flushed();
    expect(texts(a)).toEqual(['once', 'answer']);
  });
});

test('a message sent to a store that rejects writes for a while is kept, whenever another write is rejected meanwhile', async () => {
  for (let turns = 0; turns < 120; turns++) {
    let refusing = false;
    const spoil = (store: SessionStore): SessionStore => ({
      ...store,
      async read(...args) {
        const stored = await store.read(...args);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        return stored;
      },
      write: (write) =>
        refusing ? Promise.reject(new AgentError('no', { code: 'STORAGE_CONFLICT' })) : store.write(write),
    });
    const { a, b, one } = await twoTabs({ spoil });
    refusing = true;
    void a.send('Hello');
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    // Also while the session reads the stored log: it replays the message on top of that log.
    try {
      a.rename('by a');
    } catch (thrown) {
      // The session has retried so often that it stops until something changes.
      expect([thrown, a.getStorage().state]).toEqual([expect.objectContaining({ code: 'SESSION_READ_ONLY' }), 'stale']);
    }
    await settled();
    refusing = false;
    b.rename('by b');
    await settled();
    await settled();
    expect(texts(a)[0], `after ${turns} turns`).toBe('Hello');
    if (one.asked.length > 0) say(one.last(), 'Hi');
    await settled();
    expect(a.getStorage().state).toBe('saved');
    expect(texts(b)).toEqual(texts(a));
  }
});

test('a message sent while a tab learns that another tab wrote first is accepted, at any moment', async () => {
  for (let turns = 0; turns < 60; turns++) {
    const spoil = (store: SessionStore): SessionStore => ({
      ...store,
      async read(...args) {
        const stored = await store.read(...args);
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
        return stored;
      },
    });
    const { a, b, one } = await twoTabs({ spoil });
    b.addMessage({ role: 'user', content: 'b' });
    a.addMessage({ role: 'user', content: 'a1' });
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    a.addMessage({ role: 'user', content: 'a2' });
    a.rename('Otters');
    const sent = a.send('a3');
    for (let round = 0; round < 3; round++) await settled();
    say(one.last(), 'Hi');
    expect((await sent).outcome, `after ${turns} turns`).toBe('completed');
    await a.flushed();
    await settled();
    expect([...texts(a)].sort(), `after ${turns} turns`).toEqual(['Hi', 'a1', 'a2', 'a3', 'b']);
    expect([b.getState().title, texts(b)]).toEqual(['Otters', texts(a)]);
  }
});

test('a session that another tab changed and that cannot be read now stops retrying, and is usable when the log can be read', async () => {
  let unreadable = false;
  let reads = 0;
  const spoil = (store: SessionStore): SessionStore => ({
    ...store,
    read(...args) {
      if (!unreadable) return store.read(...args);
      if (++reads > 100) return new Promise(() => {});
      return Promise.reject(new AgentError('no', { code: 'STORAGE_BLOCKED' }));
    },
  });
  const { a, b, one } = await twoTabs({ spoil });
  unreadable = true;
  b.rename('by b');
  await settled();
  const sent = a.send('Hello');
  expect(await sent).toMatchObject({ outcome: 'failed', error: { code: 'STORAGE_CONFLICT' } });
  expect(reads).toBeLessThan(10);
  expect(() => a.send('Hello?')).toThrow(expect.objectContaining({ code: 'SESSION_READ_ONLY' }));

  // The session reads again, and accepts messages meanwhile.
  unreadable = false;
  void a.send('Hello!');
  await settled();
  expect([a.getState().title, texts(a)]).toEqual(['by b', ['Hello', 'Hello!', '']]);
  say(one.last(), 'Hi');
  await a.flushed();
});
