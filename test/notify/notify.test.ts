import { type Agent, createAgent, defineTool } from 'brooklet';
import { notify, type NotifyOptions } from 'brooklet/notify';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { callIdOf, sessionOf } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';
import { createBrowser } from '../support/tabs.ts';
import { createNotifyBrowser } from './browser.ts';

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'paid',
});

function stage(scripts: readonly Script[], options: NotifyOptions = {}, browser = createNotifyBrowser()) {
  const agent = createAgent({ client: createScriptedClient([...scripts]), tools: [pay] });
  const tab = browser.open();
  const stop = notify(agent, { ports: tab.ports, ...options });
  const session = sessionOf(agent, agent.createSession());
  session.rename('Secret plans');
  return { agent, session, browser, tab, stop };
}

const answered = [reply.text('A private answer.')];

describe('notify', () => {
  test.each([
    ['ended', answered, 'The answer is complete.'],
    ['failed', [reply.fail('LLM_API_ERROR', 'Private words.')], 'The answer has stopped.'],
    ['asks', [reply.call('pay', { to: 'Private' })], 'A call waits for your decision.'],
  ] as const)('shows a hidden page, by title alone, that a run %s', async (_kind, script, body) => {
    const { session, browser, tab } = stage([script]);
    void session.send('A private question');
    await expect.poll(() => browser.shown.length).toBe(1);
    expect(browser.shown[0]).toMatchObject({ title: 'Secret plans', body, data: { sessionId: session.id } });
    expect(JSON.stringify(browser.shown)).not.toMatch(/private/i);
    expect(tab.title()).toBe('(1) Chat');
  });

  test('shows nothing while the page is visible', async () => {
    const { session, browser, tab } = stage([answered]);
    tab.look();
    await session.send('x');
    await settled();
    expect([browser.shown, tab.title()]).toEqual([[], 'Chat']);
  });

  test('shows nothing of what a person has cancelled, of a compaction, and of kinds that the page leaves out', async () => {
    const { session, browser, tab } = stage([[reply.call('pay')], answered], { kinds: ['ended'] });
    void session.send('x');
    await expect.poll(session.getStatus).toBe('waiting');
    session.cancel();
    await session.compact();
    await settled();
    expect([browser.shown, tab.title()]).toEqual([[], 'Chat']);
    await session.send('y');
    await expect.poll(() => browser.shown.length).toBe(1);
  });

  test('counts, and takes all away as soon as the person looks at the page', async () => {
    const { session, browser, tab } = stage([answered]);
    await session.send('x');
    await expect.poll(tab.title).toBe('(1) Chat');
    await session.send('y');
    await expect.poll(tab.title).toBe('(2) Chat');
    tab.look();
    expect([browser.shown, tab.title()]).toEqual([[], 'Chat']);
    tab.look(false);
    await session.send('z');
    await expect.poll(tab.title).toBe('(1) Chat');
  });

  test('keeps a title that the page has set meanwhile', async () => {
    const { session, tab } = stage([answered]);
    await session.send('x');
    await expect.poll(tab.title).toBe('(1) Chat');
    tab.rename('Another title');
    tab.look();
    expect(tab.title()).toBe('Another title');
  });

  test('has the badge alone without the permission, and in a browser that shows nothing', async () => {
    for (const limits of [{ isAllowed: false }, { canShow: false }]) {
      const { session, browser, tab } = stage([answered], {}, createNotifyBrowser(limits));
      await session.send('x');
      await expect.poll(tab.title).toBe('(1) Chat');
      await settled();
      expect(browser.shown).toEqual([]);
    }
  });

  test('leads a click to the session: by a function, else by an address', async () => {
    const opened: string[] = [];
    const first = stage([answered], { onOpen: (id) => opened.push(id), url: (id) => `/chat/${id}` });
    await first.session.send('x');
    await expect.poll(() => first.browser.shown.length).toBe(1);
    first.browser.shown[0]?.click();
    expect([opened, first.tab.went, first.tab.focused()]).toEqual([[first.session.id], [], 1]);
    expect(first.browser.shown[0]?.data).toMatchObject({ url: `/chat/${first.session.id}` });

    const second = stage([answered], { url: (id) => `/chat/${id}` });
    second.tab.tellFromWorker({ type: 'brooklet:open', sessionId: 'of-the-worker' });
    second.tab.tellFromWorker('noise');
    expect(second.tab.went).toEqual(['/chat/of-the-worker']);
  });

  test('lets the page word a notification, and says it in Chinese', async () => {
    const { session, browser } = stage([answered], {
      text: ({ kind }) => ({ title: `Chat: ${kind}` }),
      language: 'zh',
    });
    await session.send('x');
    await expect.poll(() => browser.shown[0]).toMatchObject({ title: 'Chat: ended', body: '回答已完成。' });
  });

  test('reports what a function of the page throws, and goes on', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    const bug = new Error('a bug of the page');
    let isBroken = true;
    const { session, browser } = stage([answered], {
      text() {
        if (isBroken) throw bug;
        return {};
      },
    });
    await session.send('x');
    await expect.poll(() => reported).toEqual([bug]);
    isBroken = false;
    await session.send('y');
    await expect.poll(() => browser.shown.length).toBe(1);
  });

  test('releases everything when it stops', async () => {
    const { session, browser, tab, stop } = stage([answered]);
    await session.send('x');
    await expect.poll(() => browser.shown.length).toBe(1);
    stop();
    await settled();
    expect([browser.shown, tab.title(), tab.rest(), browser.locks.names()]).toEqual([[], 'Chat', [0, 0, 0, 0], []]);
    await session.send('y');
    await settled();
    expect([browser.shown, tab.title()]).toEqual([[], 'Chat']);
  });

  test.each([
    [{ kinds: 'ended' }, '`kinds`'],
    [{ kinds: ['ended', 'done'] }, '`kinds`'],
    [{ kinds: [undefined] }, '`kinds`'],
    [{ onOpen: '/chat' }, '`onOpen`'],
    [{ url: '/chat' }, '`url`'],
    [{ text: 'Done' }, '`text`'],
    [{ language: 'fr' }, '`language`'],
    [{ name: 7 }, '`name`'],
    [{ ports: null }, '`ports`'],
  ])('refuses %o', (options, message) => {
    const agent = createAgent({});
    expect(() => notify(agent, untyped(options))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(message) }),
    );
  });

  test('refuses what is no agent', () => {
    for (const agent of [undefined, {}, { events$: {} }])
      expect(() => notify(untyped(agent))).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  test('refuses an option of an unknown name', () => {
    const agent = createAgent({});
    expect(() => notify(agent, untyped({ onopen: () => {} }))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});

describe('of several tabs', () => {
  /** Two tabs that have the same session open; the first one runs it. */
  async function twoTabs(browser = createNotifyBrowser()) {
    const storage = createBrowser();
    const client = createManualClient();
    const tabs = [browser.open(), browser.open()] as const;
    const agents = tabs.map(() => storage.open({ client, tools: [pay] }).agent);
    const [one, other] = agents;
    if (!one || !other) return expect.unreachable();
    const stops = agents.map((agent: Agent, index) => notify(agent, { ports: (index ? tabs[1] : tabs[0]).ports }));
    const { id } = await one.openSession('a', { create: true });
    await one.getSession(id)?.flushed();
    const session = await other.openSession(id);
    const run = async (): Promise<void> => {
      void one.getSession(id)?.send('x');
      await settled();
      say(client.last(), 'An answer.');
      await settled();
      await expect.poll(session.getStatus).toBe('idle');
      await settled();
    };
    return { browser, tabs, agents, run, stops };
  }

  test('one shows the notification, and all are numbered', async () => {
    const { browser, tabs, run } = await twoTabs();
    await run();
    expect(browser.shown).toHaveLength(1);
    expect(tabs.map((tab) => tab.title())).toEqual(['(1) Chat', '(1) Chat']);
  });

  test('none shows it while one is visible; a look at one clears all', async () => {
    const { browser, tabs, run } = await twoTabs();
    tabs[1].look();
    await settled();
    await run();
    expect([browser.shown, tabs[0].title()]).toEqual([[], 'Chat']);
    tabs[1].look(false);
    await settled();
    await run();
    expect([browser.shown.length, tabs[0].title()]).toEqual([1, '(1) Chat']);
    tabs[1].look();
    expect([browser.shown.length, ...tabs.map((tab) => tab.title())]).toEqual([0, 'Chat', 'Chat']);
  });

  test('a visible one that was killed silences the others no longer', async () => {
    const { browser, tabs, run } = await twoTabs();
    tabs[1].look();
    await settled();
    tabs[1].kill();
    await run();
    expect(browser.shown.filter(({ by }) => by === 1)).toHaveLength(1);
  });

  test('each decides for itself where the browser has no locks; the tag makes one of both', async () => {
    const { browser, run } = await twoTabs(createNotifyBrowser({ hasLocks: false }));
    await run();
    expect(new Set(browser.shown.map(({ tag }) => tag)).size).toBe(1);
  });
});

test('a call that was decided before the notification is not asked about', async () => {
  const browser = createNotifyBrowser();
  const { session, agent } = stage([[reply.call('pay')], answered], { kinds: ['asks'] }, browser);
  agent.events$.subscribe(({ event }) => {
    if (event.type === 'approval.requested') void session.approve(callIdOf(session));
  });
  await session.send('x');
  await settled();
  expect(browser.shown).toEqual([]);
});

describe('notify.request', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('asks in a gesture only, and once', async () => {
    let asked = 0;
    const notifications = {
      permission: 'default',
      requestPermission: async () => {
        asked++;
        return 'granted';
      },
    };
    const userActivation = { isActive: false };
    vi.stubGlobal('Notification', notifications);
    vi.stubGlobal('navigator', { userActivation });
    await expect(notify.request()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    expect(asked).toBe(0);
    userActivation.isActive = true;
    expect(await notify.request()).toBe('granted');
    notifications.permission = 'denied';
    expect(await notify.request()).toBe('denied');
    expect(asked).toBe(1);
  });

  test('says that a browser has none', async () => {
    vi.stubGlobal('Notification', undefined);
    expect(await notify.request()).toBe('unsupported');
  });
});
