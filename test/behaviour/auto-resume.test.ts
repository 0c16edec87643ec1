import { AgentError, type AgentErrorCode, createAgent, defineTool, isCut, type RunOptions } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { stage, statusesOf, textsOf } from '../support/stage.ts';
import { createBrowser, twoTabs } from '../support/tabs.ts';

/** A network that the test switches, as `navigator.onLine` and the event `online` report it. */
function createNetwork() {
  let isOnline = true;
  const waiting = new Set<() => void>();
  return {
    whenOnline(callback: () => void) {
      if (isOnline) callback();
      else waiting.add(callback);
      return () => waiting.delete(callback);
    },
    leave: () => (isOnline = false),
    enter() {
      isOnline = true;
      for (const callback of waiting) {
        waiting.delete(callback);
        callback();
      }
    },
    waiting,
  };
}

/** A session whose agent resumes runs, with the run of one message under way. */
async function sent(options: Parameters<typeof stage>[0] = {}) {
  const network = createNetwork();
  const ports = { ...createManualPorts(), whenOnline: network.whenOnline };
  const its = stage({ autoResume: true, ports, ...options });
  const result = its.session.send('Tell me a story');
  await settled();
  return { ...its, ports, network, result };
}

function lose({ client }: Pick<ReturnType<typeof stage>, 'client'>, code: AgentErrorCode = 'STREAM_INTERRUPTED') {
  client.last().chunks.error(new AgentError('The connection was lost.', { code }));
  return settled();
}

describe('a connection that is lost in mid-stream', () => {
  test('waits for a person by default, and is told from a failure', async () => {
    const its = stage();
    const result = its.session.send('Tell me a story');
    await settled();
    its.client.last().chunks.next({ type: 'text', text: 'Once upon' });
    await lose(its);
    its.ports.pass(100_000);
    await settled();
    expect(await result).toMatchObject({ outcome: 'interrupted', error: { code: 'STREAM_INTERRUPTED' } });
    expect([its.session.getStatus(), isCut(its.session.getState())]).toEqual(['interrupted', true]);
    expect([its.client.asked.length, its.session.getResuming()]).toEqual([1, undefined]);
    void its.session.resume();
    await settled();
    say(its.client.last(), ' a time.');
    await settled();
    expect(textsOf(its.session)).toEqual(['Tell me a story', 'Once upon', ' a time.']);
    expect(isCut(its.session.getState())).toBe(false);
  });

  test('goes on by itself where the page asked for it, and is shown meanwhile', async () => {
    const its = await sent();
    const shown: unknown[] = [];
    its.session.resuming$.subscribe((resuming) => shown.push(resuming));
    its.client.last().chunks.next({ type: 'text', text: 'Once upon' });
    await lose(its);
    expect((await its.result).outcome).toBe('interrupted');
    expect(its.session.getResuming()).toMatchObject({ attempt: 1, attempts: 2, ms: 1_000 });
    its.ports.pass(999);
    await settled();
    expect(its.client.asked).toHaveLength(1);
    its.ports.pass(1);
    await settled();
    expect(its.client.asked).toHaveLength(2);
    say(its.client.last(), ' a time.');
    await settled();
    expect(textsOf(its.session)).toEqual(['Tell me a story', 'Once upon', ' a time.']);
    expect(its.session.getStatus()).toBe('idle');
    expect(shown).toEqual([undefined, expect.objectContaining({ attempt: 1 }), undefined]);
    expect(its.events.filter(({ type }) => type === 'run.started')).toMatchObject([{}, { isAutomatic: true }]);
  });

  test('goes on twice at most, and then waits for a person', async () => {
    const its = await sent();
    for (const ms of [1_000, 2_000]) {
      await lose(its, 'NETWORK_ERROR');
      expect(its.session.getResuming()?.ms).toBe(ms);
      its.ports.pass(ms);
      await settled();
    }
    await lose(its, 'NETWORK_ERROR');
    its.ports.pass(1_000_000);
    await settled();
    expect([its.client.asked.length, its.session.getResuming(), its.session.getStatus()]).toEqual([
      3,
      undefined,
      'failed',
    ]);
    void its.session.resume();
    await settled();
    await lose(its);
    expect(its.session.getResuming()).toMatchObject({ attempt: 1, ms: 1_000 });
  });

  test('stays where a call may have had its effect', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'pay',
      input: { type: 'object' },
      idempotent: true,
      execute: () => new Promise(() => {}),
    });
    const its = await sent({ tools: [pay] });
    call(its.client.last(), ['pay', '{}']);
    await settled();
    expect(statusesOf(its.session)).toEqual(['started']);
    its.ports.hide(true);
    await settled();
    its.ports.show();
    its.ports.pass(60_000);
    await settled();
    expect([isCut(its.session.getState()), statusesOf(its.session), its.session.getResuming()]).toEqual([
      true,
      ['uncertain'],
      undefined,
    ]);
    expect(its.client.asked).toHaveLength(1);
  });

  test('stays where the service has failed, and where a person has stopped the run', async () => {
    const failed = await sent();
    failed.client.last().chunks.next({ type: 'text', text: 'Once' });
    await lose(failed, 'OVERLOADED');
    expect([failed.session.getStatus(), failed.session.getResuming()]).toEqual(['interrupted', undefined]);
    const stopped = await sent();
    stopped.session.cancel();
    await settled();
    expect(stopped.session.getResuming()).toBeUndefined();
  });

  test.for<[string, (its: Awaited<ReturnType<typeof sent>>) => void]>([
    ['stops', ({ session }) => session.cancel()],
    ['clears the session', ({ session }) => session.clear()],
    ['closes the session', ({ session }) => void session.close()],
    ['removes the session', ({ agent, session }) => void agent.removeSession(session.id)],
  ])('stays where a person %s', async ([, act]) => {
    const its = await sent();
    await lose(its);
    expect(its.session.getResuming()).toBeDefined();
    act(its);
    its.ports.pass(60_000);
    await settled();
    expect([its.client.asked.length, its.session.getResuming()]).toEqual([1, undefined]);
  });

  test('stays where a person sends another message', async () => {
    const its = await sent();
    await lose(its);
    void its.session.send('Another one');
    await settled();
    expect(its.session.getResuming()).toBeUndefined();
    its.ports.pass(60_000);
    await settled();
    expect(its.client.asked).toHaveLength(2);
  });
});

describe('without a network', () => {
  test('messages wait in the queue, and are answered in their order when it is back', async () => {
    const its = await sent();
    void its.session.send('And another', { whenBusy: 'queue' });
    its.network.leave();
    await lose(its, 'OFFLINE');
    its.ports.pass(1_000);
    await settled();
    expect([its.session.getState().queue.length, its.client.asked.length]).toEqual([1, 1]);
    its.network.enter();
    await settled();
    say(its.client.last(), 'Once.');
    await settled();
    say(its.client.last(), 'Twice.');
    await settled();
    expect(textsOf(its.session)).toEqual(['Tell me a story', 'Once.', 'And another', 'Twice.']);
    expect(its.session.getState().queue).toEqual([]);
  });

  test('the run waits for the network however long, and goes on as soon as it is back', async () => {
    const its = await sent();
    its.network.leave();
    await lose(its, 'OFFLINE');
    its.ports.pass(1_000);
    await settled();
    expect(its.session.getResuming()).toMatchObject({ until: 'online', attempt: 1 });
    its.ports.pass(3_600_000);
    await settled();
    expect(its.client.asked).toHaveLength(1);
    its.network.enter();
    await settled();
    expect([its.client.asked.length, its.session.getResuming()]).toEqual([2, undefined]);
    say(its.client.last(), 'Once.');
    await settled();
    expect(textsOf(its.session)).toEqual(['Tell me a story', 'Once.']);
  });

  test('stop ends the wait for the network', async () => {
    const its = await sent();
    its.network.leave();
    await lose(its, 'OFFLINE');
    its.ports.pass(1_000);
    its.session.cancel();
    expect([its.network.waiting.size, its.session.getResuming()]).toEqual([0, undefined]);
    its.network.enter();
    await settled();
    expect(its.client.asked).toHaveLength(1);
  });
});

describe('a page that is hidden', () => {
  test('goes on when it is shown', async () => {
    const its = await sent();
    its.ports.hide();
    await lose(its);
    its.ports.pass(1_000);
    await settled();
    expect(its.session.getResuming()).toMatchObject({ until: 'visible' });
    its.ports.show();
    await settled();
    expect(its.client.asked).toHaveLength(2);
  });

  test('goes on after a minute where its timers run', async () => {
    const its = await sent();
    its.ports.hide();
    await lose(its);
    its.ports.pass(1_000);
    its.ports.pass(60_000);
    await settled();
    expect(its.client.asked).toHaveLength(2);
  });

  test('that was left and comes back from the page cache goes on', async () => {
    const its = await sent();
    its.client.last().chunks.next({ type: 'text', text: 'Once upon' });
    its.ports.hide(true);
    await settled();
    expect([its.session.getStatus(), isCut(its.session.getState())]).toEqual(['interrupted', true]);
    its.ports.show();
    its.ports.pass(1_000);
    await settled();
    expect(its.client.asked).toHaveLength(2);
  });
});

describe('a page that was left and is opened again', () => {
  const memory = new Map<string, string>();

  beforeEach(() => {
    memory.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => memory.set(key, value),
      removeItem: (key: string) => memory.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  /** A session whose page was left in mid-stream; `reopen` opens it in a page with the same store. */
  async function left(client = createManualClient(), options: RunOptions = {}) {
    const store = createMemoryStore();
    const ports = createManualPorts();
    const agent = createAgent({ client, store, ports, autoResume: true });
    const session = await agent.openSession(agent.createSession());
    void session.send('Tell me a story', options);
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Once upon' });
    ports.hide(true);
    await settled();
    async function reopen(after = 0) {
      const laterPorts = createManualPorts('later');
      laterPorts.pass(after);
      const laterClient = createManualClient();
      const later = createAgent({ client: laterClient, store, ports: laterPorts, autoResume: true });
      const found = await later.openSession(session.id);
      await settled();
      const resuming = found.getResuming();
      laterPorts.pass(1_000);
      await settled();
      return { found, resuming, asked: laterClient.asked.length };
    }
    return { session, reopen };
  }

  test('goes on in the same tab', async () => {
    const { reopen } = await left();
    expect(await reopen()).toMatchObject({ resuming: { attempt: 1 }, asked: 1 });
  });

  test('waits for a person in another tab, and in the same one after too long a time', async () => {
    const { reopen } = await left();
    const kept = [...memory];
    expect(await reopen(600_001)).toMatchObject({ resuming: undefined, asked: 0 });
    expect(memory.size).toBe(0);
    for (const [key, value] of kept) memory.set(key, value);
    memory.clear();
    expect(await reopen()).toMatchObject({ resuming: undefined, asked: 0 });
  });

  test('waits for a person where the page lacks an option of the run', async () => {
    const client = createManualClient();
    const { reopen } = await left(client, { client });
    const { found, asked } = await reopen();
    expect([asked, found.getStatus(), found.getResuming()]).toEqual([0, 'interrupted', undefined]);
  });

  test('waits for a person after a wait that a person has ended', async () => {
    const { reopen } = await left();
    const { found } = await reopen();
    found.cancel();
    expect(memory.size).toBe(0);
    expect(await reopen()).toMatchObject({ asked: 0 });
  });

  test('goes on once where the tab was duplicated, and its copy remembers the run, too', async () => {
    const browser = createBrowser();
    const first = browser.open({ client: createManualClient(), autoResume: true });
    const { id } = await first.agent.openSession(first.agent.createSession());
    void first.agent.getSession(id)?.send('Tell me a story');
    await settled();
    await first.agent.getSession(id)?.flushed();
    first.kill();
    const clients = [createManualClient(), createManualClient()];
    const tabs = clients.map((client) => browser.open({ client, autoResume: true }));
    const sessions = await Promise.all(tabs.map(({ agent }) => agent.openSession(id)));
    for (let second = 0; second < 10; second++) {
      for (const { ports } of tabs) ports.pass(1_000);
      await settled();
    }
    const asked = clients.flatMap((client) => client.asked.filter(({ aborted }) => !aborted));
    expect(asked).toHaveLength(1);
    for (const one of asked) say(one, 'Once.');
    await settled();
    for (const session of sessions) {
      expect([textsOf(session), session.getStatus()]).toEqual([['Tell me a story', 'Once.'], 'idle']);
    }
  });

  test('works where the storage of the tab is forbidden', async () => {
    vi.stubGlobal('sessionStorage', {
      getItem() {
        throw new DOMException('', 'SecurityError');
      },
    });
    const { reopen } = await left();
    expect(await reopen()).toMatchObject({ resuming: undefined, asked: 0 });
  });
});

test('two tabs on one session: the tab that drove the run goes on, the other one follows', async () => {
  const its = await twoTabs({ autoResume: true });
  void its.a.send('Tell me a story');
  await settled();
  its.one.last().chunks.error(new AgentError('Lost.', { code: 'STREAM_INTERRUPTED' }));
  await settled();
  expect([its.a.getResuming()?.attempt, its.b.getResuming()]).toEqual([1, undefined]);
  for (const { ports } of [its.first, its.second]) ports.pass(5_000);
  await settled();
  expect([its.one.asked.length, its.other.asked.length]).toEqual([2, 0]);
  say(its.one.last(), 'Once.');
  await settled();
  expect(textsOf(its.b)).toEqual(['Tell me a story', 'Once.']);
});

test.for([
  ['a number', 3],
  ['no attempts', { attempts: 0 }],
  ['a negative delay', { firstDelay: -1 }],
  ['null', null],
])('the option is refused where it is %s', ([, autoResume]) => {
  const options = { client: createManualClient(), autoResume };
  // @ts-expect-error: what a page without types passes
  expect(() => createAgent(options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});
