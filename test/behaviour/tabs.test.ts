import { AgentError, type AgentSession, createAgent, defineTool, extractTextContent, toolParts } from 'brooklet';
import { filter } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts, type ManualPorts } from '../support/ports.ts';
import { createBrowser, twoTabs } from '../support/tabs.ts';

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));
const callIds = (session: AgentSession): string[] =>
  session
    .getMessages()
    .flatMap(toolParts)
    .map(({ callId }) => callId);

describe('two tabs on one session', () => {
  test('show the same messages while one of them runs the session', async () => {
    const { a, b, one, first } = await twoTabs();
    void a.send('Hello');
    await settled();
    one.last().chunks.next({ type: 'text', text: 'Hi' });
    first.ports.pass(100);
    await settled();
    expect(b.getStatus()).toBe('running');
    expect(texts(b)).toEqual(['Hello', 'Hi']);
    say(one.last(), ' there');
    await settled();
    expect(b.getState()).toEqual(a.getState());
    expect(b.getStatus()).toBe('idle');
  });

  test('ask for one summary when a person compacts in both at the same time', async () => {
    const browser = createBrowser();
    const [one, other] = [createManualClient(), createManualClient()];
    let isSlow = false;
    const slow = async (): Promise<void> => {
      if (!isSlow) return;
      for (let turn = 0; turn < 600; turn++) await Promise.resolve();
    };
    const [first, second] = [one, other].map((client) =>
      browser.open({ client, contextWindow: 100_000 }, (store) => ({
        ...store,
        write: (write) => slow().then(() => store.write(write)),
      })),
    );
    const id = first?.agent.createSession() ?? '';
    await settled();
    const a = await (first ?? expect.unreachable()).agent.openSession(id);
    const b = await (second ?? expect.unreachable()).agent.openSession(id);
    for (const turn of [1, 2, 3, 4, 5, 6])
      for (const role of ['user', 'assistant'] as const) a.addMessage({ role, content: `turn ${turn} `.repeat(400) });
    await settled();
    expect(texts(b)).toHaveLength(12);
    await vi.dynamicImportSettled();
    isSlow = true;
    const results = [a.compact(), b.compact()];
    for (let round = 0; round < 4; round++) await settled();
    const asked = [...one.asked, ...other.asked];
    expect(asked).toHaveLength(1);
    for (const summary of asked) say(summary, 'They took turns.');
    expect((await Promise.all(results)).map(({ outcome }) => outcome).toSorted()).toEqual(['completed', 'failed']);
  });

  test('a tab that follows reads a run again when it has ended, and not what was before it', async () => {
    const browser = createBrowser();
    const client = createManualClient();
    const first = browser.open({ client });
    let eventsRead = 0;
    const second = browser.open({ client: createManualClient() }, (store) => ({
      ...store,
      async read(...args) {
        const found = await store.read(...args);
        eventsRead += found?.events.length ?? 0;
        return found;
      },
    }));
    const a = await first.agent.openSession(first.agent.createSession());
    for (let index = 0; index < 200; index++) void a.addMessage({ role: 'user', content: `Line ${index}` });
    await settled();
    const b = await second.agent.openSession(a.id);
    const before = b.getMessages();
    eventsRead = 0;
    for (const prompt of ['Hello', 'Again']) {
      void a.send(prompt);
      await settled();
      for (const piece of ['Hi', ' there']) {
        client.last().chunks.next({ type: 'text', text: piece });
        first.ports.pass(100);
        await settled();
      }
      say(client.last(), '!');
      await settled();
      expect(b.getState()).toEqual(a.getState());
    }
    expect(texts(b).slice(-4)).toEqual(['Hello', 'Hi there!', 'Again', 'Hi there!']);
    expect(eventsRead).toBeLessThan(60);
    // What is shown of them is not rendered again.
    expect(before.every((message, index) => message === b.getMessages()[index])).toBe(true);
  });

  test.each<[how: string, reads: number, act: (ports: ManualPorts) => void]>([
    ['is shown', 1, (ports) => ports.show()],
    ['is shown and gets the focus', 2, (ports) => [ports.show(), ports.show()]],
  ])('show what a paused tab has missed as soon as it %s', async (_how, most, wake) => {
    const browser = createBrowser();
    const client = createManualClient();
    const first = browser.open({ client });
    let isPaused = false;
    let reads = 0;
    const second = browser.open({ client: createManualClient() }, (store) => ({
      ...store,
      changes$: store.changes$.pipe(filter(() => !isPaused)),
      read: (...args) => {
        reads++;
        return store.read(...args);
      },
    }));
    const a = await first.agent.openSession(first.agent.createSession());
    await settled();
    const b = await second.agent.openSession(a.id);
    await settled();
    isPaused = true;
    void a.send('Hello');
    await settled();
    say(client.last(), 'Hi');
    await settled();
    expect(texts(b)).toEqual([]);
    reads = 0;
    wake(second.ports);
    await settled();
    expect(texts(b)).toEqual(['Hello', 'Hi']);
    expect(reads).toBeLessThanOrEqual(most);
    second.agent.removeSession(a.id);
    await settled();
    reads = 0;
    second.ports.show();
    await settled();
    expect(reads).toBe(0);
  });

  test('do not read back their own writes', async () => {
    const browser = createBrowser();
    let reads = 0;
    const read: typeof browser.store.read = (...args) => {
      reads++;
      return browser.store.read(...args);
    };
    const client = createManualClient();
    const ports = createManualPorts();
    const agent = createAgent({ client, ports, store: { ...browser.store, read } });
    const session = await agent.openSession(agent.createSession());
    void session.send('Hello');
    await settled();
    for (let piece = 0; piece < 20; piece++) {
      client.last().chunks.next({ type: 'text', text: 'Hi ' });
      ports.pass(100);
      await settled();
    }
    say(client.last());
    await settled();
    expect(session.getStorage().state).toBe('saved');
    expect(reads).toBe(0);
    // The tab still receives the writes of other tabs.
    const other = await browser.open({ client: createManualClient() }).agent.openSession(session.id);
    other.rename('Otters');
    await settled();
    expect(session.getState().title).toBe('Otters');
  });

  test('show a part once in a tab that joins in the middle of the part', async () => {
    const { a, one, first, second, id, browser } = await twoTabs();
    void a.send('Hello');
    await settled();
    for (const text of ['one ', 'two ', 'three ']) {
      one.last().chunks.next({ type: 'text', text });
      first.ports.pass(100);
      await settled();
    }
    const late = await browser.open({ client: createManualClient() }).agent.openSession(id);
    expect(texts(late)).toEqual(['Hello', 'one two three ']);
    one.last().chunks.next({ type: 'text', text: 'four' });
    say(one.last());
    await settled();
    expect(late.getState()).toEqual(a.getState());
    expect(second.agent.getSession(id)?.getState()).toEqual(a.getState());
  });

  test('reject changes to the messages that a run depends on while the other tab runs', async () => {
    const { a, b } = await twoTabs();
    void a.send('Hello');
    await settled();
    for (const verb of [() => b.addMessage({ role: 'user', content: 'x' }), () => b.clear(), () => b.send('x')]) {
      expect(verb).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
    }
  });

  test('send at once: both messages are kept, one after the other', async () => {
    const { a, b, one, other } = await twoTabs();
    const sent = [a.send('from a'), b.send('from b')];
    await settled();
    expect([one.asked.length, other.asked.length]).toEqual([1, 0]);
    say(one.last(), 're: a');
    await settled();
    say(other.last(), 're: b');
    expect((await Promise.all(sent)).map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    await settled();
    expect(texts(a)).toEqual(['from a', 're: a', 'from b', 're: b']);
    expect(texts(b)).toEqual(texts(a));
  });

  test('send at once, and one is stopped just when it learns of the other: its message stays', async () => {
    for (let turns = 0; turns < 60; turns++) {
      const { a, b, one, other } = await twoTabs();
      void a.send('from a');
      void b.send('from b');
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      b.cancel();
      for (const client of [one, other]) {
        await settled();
        for (const asked of client.asked) if (!asked.aborted) say(asked, 're');
      }
      await settled();
      const said = texts(a).filter((text) => text.startsWith('from'));
      expect(said.toSorted(), `after ${turns} turns`).toEqual(['from a', 'from b']);
      expect(texts(b)).toEqual(texts(a));
    }
  });

  test('change the same message at once: the later change wins, in both', async () => {
    const { a, b } = await twoTabs();
    const messageId = a.addMessage({ role: 'user', content: 'first' });
    await settled();
    a.updateMessage(messageId, (message) => ({ ...message, content: [{ type: 'text', text: 'by a' }] }));
    b.updateMessage(messageId, (message) => ({ ...message, content: [{ type: 'text', text: 'by b' }] }));
    await settled();
    await settled();
    expect([texts(a), texts(b)]).toEqual([['by b'], ['by b']]);
  });

  test('name and pin while the other tab runs; that tab continues with its pending writes', async () => {
    const { a, b, one, first } = await twoTabs();
    const sent = a.send('Hello');
    await settled();
    one.last().chunks.next({ type: 'text', text: 'Hi' });
    b.rename('Otters');
    b.pin(b.getMessages()[0]?.id ?? '');
    await settled();
    one.last().chunks.next({ type: 'text', text: ' there' });
    first.ports.pass(100);
    await settled();
    expect(a.getState().title).toBe('Otters');
    expect(one.last().aborted).toBe(false);
    say(one.last(), '!');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(texts(b)).toEqual(['Hello', 'Hi there!']);
    expect(b.getState()).toEqual(a.getState());
  });

  test('rename at once: the later name wins, in both', async () => {
    const { a, b } = await twoTabs();
    a.rename('A');
    b.rename('B');
    await settled();
    await settled();
    expect([a.getState().title, b.getState().title]).toEqual(['B', 'B']);
  });

  test('stop the run of the other tab, whose request is aborted', async () => {
    const { a, b, one, first } = await twoTabs();
    const sent = a.send('Hello');
    await settled();
    one.last().chunks.next({ type: 'text', text: 'Hi' });
    first.ports.pass(100);
    await settled();
    one.last().chunks.next({ type: 'text', text: ' there' });
    b.cancel();
    await settled();
    first.ports.pass(100);
    await settled();
    expect(one.last().aborted).toBe(true);
    expect((await sent).outcome).toBe('cancelled');
    expect(a.getState()).toEqual(b.getState());
    expect(b.getMessages().at(-1)).toMatchObject({ status: 'interrupted' });
  });

  test('stop the run of the other tab while that tab has text to write', async () => {
    const { a, b, one, first } = await twoTabs();
    void a.send('Hello');
    await settled();
    one.last().chunks.next({ type: 'text', text: 'one ' });
    first.ports.pass(100);
    await settled();
    one.last().chunks.next({ type: 'text', text: 'two ' });
    one.last().chunks.next({ type: 'text', text: 'three' });
    b.cancel();
    await settled();
    first.ports.pass(100);
    await settled();
    expect([a.getStatus(), b.getStatus()]).toEqual(['idle', 'idle']);
    expect(a.getState()).toEqual(b.getState());
  });

  test('decide in either tab: the call runs in the tab of the decision, once', async () => {
    const ran = vi.fn(() => 'paid');
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: ran,
    });
    const { a, b, one, other } = await twoTabs({ tools: [pay] });
    const sent = a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}']);
    await settled();
    expect(b.getStatus()).toBe('waiting');
    await b.approve(callIds(b)[0] ?? '');
    await settled();
    expect(ran).toHaveBeenCalledOnce();
    expect([one.asked.length, other.asked.length]).toEqual([1, 1]);
    say(other.last(), 'bought');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(a.getState()).toEqual(b.getState());
  });

  test('decide in the tab that ran the call: the other tab does not take the run for abandoned', async () => {
    const gate = createGate();
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: () => gate.opened.then(() => 'paid'),
    });
    const { a, b, one, other } = await twoTabs({ tools: [pay] });
    const sent = a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}'], ['pay', '{}']);
    await settled();
    const [first = '', second = ''] = callIds(a);
    await a.reject(first);
    await settled();
    await a.approve(second);
    await settled();
    expect([a.getStatus(), b.getStatus()]).toEqual(['running', 'running']);
    gate.open();
    await settled();
    say(one.last(), 'bought');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(other.asked).toHaveLength(0);
    expect(a.getState()).toEqual(b.getState());
  });

  test('decide in one while the other runs another call of the reply: the decision waits for the end of that call', async () => {
    const gate = createGate();
    const paid = vi.fn(() => 'paid');
    const [look, pay] = [
      defineTool({
        name: 'look',
        description: '',
        input: { type: 'object' },
        execute: () => gate.opened.then(() => 'seen'),
      }),
      defineTool({ name: 'pay', description: '', input: { type: 'object' }, needsApproval: true, execute: paid }),
    ];
    const { a, b, one, other } = await twoTabs({ tools: [look, pay] });
    const sent = a.send('buy');
    await settled();
    call(one.last(), ['look', '{}'], ['pay', '{}']);
    await settled();
    expect(b.getStatus()).toBe('running');
    // Else the decision would wait for its code.
    await vi.dynamicImportSettled();
    let isDecided = false;
    const decided = b.approve(callIds(b)[1] ?? '').then(() => (isDecided = true));
    await settled();
    expect([isDecided, paid.mock.calls.length]).toEqual([false, 0]);
    gate.open();
    await decided;
    await settled();
    expect(paid).toHaveBeenCalledOnce();
    say(other.last(), 'bought');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect(a.getState()).toEqual(b.getState());
  });

  test('decide one call each: a waiting call blocks nothing in the other tab', async () => {
    const ran: string[] = [];
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: (_input, { callId }) => ran.push(callId),
    });
    const { a, b, one } = await twoTabs({ tools: [pay] });
    void a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}'], ['pay', '{}']);
    await settled();
    const [first = '', second = ''] = callIds(a);
    await a.reject(first);
    await settled();
    expect(b.getStatus()).toBe('waiting');
    await b.approve(second);
    await settled();
    expect(ran).toEqual([second]);
    expect(a.getState()).toEqual(b.getState());
  });

  test('decide at once: one wins, the other is notified, and the call runs once or never', async () => {
    const ran = vi.fn(() => 'paid');
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object' },
      needsApproval: true,
      execute: ran,
    });
    const { a, b, one } = await twoTabs({ tools: [pay] });
    void a.send('buy');
    await settled();
    call(one.last(), ['pay', '{}']);
    await settled();
    const [callId = ''] = callIds(a);
    const decided = await Promise.allSettled([a.reject(callId, { reason: 'no', userName: 'Ada' }), b.approve(callId)]);
    expect(decided).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'CALL_NOT_PENDING', message: expect.stringMatching(/rejected, by Ada/) } },
    ]);
    await settled();
    expect(ran).not.toHaveBeenCalled();
    expect(b.getMessages()).toEqual(a.getMessages());
  });

  test('lose the running tab: the other tab closes the open run, and continues', async () => {
    const { a, b, one, other, first } = await twoTabs();
    void a.send('Hello');
    await settled();
    one.last().chunks.next({ type: 'text', text: 'Half' });
    first.ports.pass(100);
    await settled();
    first.kill();
    await settled();
    expect(b.getStatus()).toBe('interrupted');
    expect(texts(b)).toEqual(['Hello', 'Half']);
    const resumed = b.resume();
    await settled();
    say(other.last(), ' done');
    expect((await resumed).outcome).toBe('completed');
  });

  test('take over: the former owner cannot write any more, and shows the current session', async () => {
    const { a, b, one, first } = await twoTabs();
    const sent = a.send('Hello');
    await settled();
    one.last().chunks.next({ type: 'text', text: 'Half' });
    first.ports.pass(100);
    await settled();
    await b.takeOver();
    await settled();
    expect(b.getStatus()).toBe('interrupted');
    expect(one.last().aborted).toBe(true);
    expect((await sent).outcome).toBe('interrupted');
    expect(a.getState()).toEqual(b.getState());
  });

  test('remove the session in one: the session is removed in the other too', async () => {
    const { a, b, first, second, id } = await twoTabs();
    const complete = vi.fn();
    b.messages$.subscribe({ complete });
    first.agent.removeSession(id);
    await settled();
    expect(second.agent.getSession(id)).toBeUndefined();
    expect(complete).toHaveBeenCalledOnce();
    expect(() => b.send('x')).toThrow(expect.objectContaining({ code: 'SESSION_REMOVED' }));
    expect(() => a.send('x')).toThrow(expect.objectContaining({ code: 'SESSION_REMOVED' }));
  });
});

describe('a store that rejects every write although its content does not change', () => {
  /** Accepts in the end: a tab that never stops retrying fails its test instead of hanging it. */
  const most = 50;
  const pay = defineTool({
    name: 'pay',
    description: '',
    input: { type: 'object' },
    needsApproval: true,
    execute: () => 'paid',
  });

  /** A session that another tab has brought to this status, in a tab whose writes are rejected from now on. */
  async function refusing(status: 'idle' | 'running' | 'waiting') {
    const browser = createBrowser();
    const one = createManualClient();
    const first = browser.open({ client: one, tools: [pay] });
    let left = 0;
    const second = browser.open({ client: createManualClient(), tools: [pay] }, (store) => ({
      ...store,
      write: (write) =>
        left-- > 0 ? Promise.reject(new AgentError('refused', { code: 'STORAGE_CONFLICT' })) : store.write(write),
    }));
    const a = await first.agent.openSession(first.agent.createSession());
    void a.send('buy');
    await settled();
    if (status === 'idle') say(one.last());
    if (status === 'waiting') call(one.last(), ['pay', '{}']);
    await settled();
    const b = await second.agent.openSession(a.id);
    expect(b.getStatus()).toBe(status);
    left = most;
    return { a, b, tried: () => most - left, giveIn: () => (left = 0) };
  }

  const deeds: readonly [what: string, status: 'idle' | 'running' | 'waiting', does: (it: AgentSession) => unknown][] =
    [
      ['a rename', 'idle', (it) => it.rename('Otters')],
      ['a message', 'idle', (it) => it.addMessage({ role: 'user', content: 'Hello' })],
      ['what is sent', 'idle', (it) => it.send('Hello')],
      ['a decision', 'waiting', (it) => it.approve(callIds(it)[0] ?? '')],
      ['a stop', 'running', (it) => it.cancel()],
    ];

  test.each(deeds)('is retried a few times for %s, and then the session is stale', async (_what, status, does) => {
    const { b, tried } = await refusing(status);
    await Promise.allSettled([does(b)]);
    for (let round = 0; round < 10; round++) await settled();
    expect(tried()).toBeLessThan(10);
    expect(b.getStorage()).toMatchObject({ state: 'stale', error: { code: 'STORAGE_CONFLICT' } });
    expect(() => b.rename('x')).toThrow(expect.objectContaining({ code: 'SESSION_READ_ONLY' }));
  });

  test('is retried when another tab has written: local changes made meanwhile are kept', async () => {
    const { a, b, giveIn } = await refusing('idle');
    b.rename('Otters');
    for (let round = 0; round < 10; round++) await settled();
    expect([b.getStorage().state, b.getState().title]).toEqual(['stale', 'Otters']);
    giveIn();
    a.addMessage({ role: 'user', content: 'Hello' });
    for (let round = 0; round < 10; round++) await settled();
    expect(b.getStorage().state).toBe('saved');
    expect([a.getState().title, texts(a).at(-1)]).toEqual(['Otters', 'Hello']);
    expect(b.getState()).toEqual(a.getState());
  });
});
