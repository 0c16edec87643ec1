import { createAgent, type ScheduledPrompt } from 'brooklet';
import { createMemoryStore, exportAll, importSessions } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts, type ManualPorts } from '../support/ports.ts';
import { sessionOf, textsOf } from '../support/stage.ts';
import { createBrowser, passTime } from '../support/tabs.ts';
import { untyped } from '../support/untyped.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A tab with one stored session, and the client that answers. */
async function visit(browser = createBrowser(), sessionId?: string) {
  const client = createManualClient();
  const tab = browser.open({ client });
  const { agent } = tab;
  const session =
    sessionId === undefined ? sessionOf(agent, agent.createSession()) : await agent.openSession(sessionId);
  await session.flushed();
  agent.schedules$.subscribe();
  return { ...tab, browser, client, session, texts: () => textsOf(session), pass: (ms: number) => passTime([tab], ms) };
}

const listed = (agent: { readonly getSchedules: () => readonly ScheduledPrompt[] }) =>
  agent.getSchedules().map(({ text }) => text);

describe('a planned prompt', () => {
  test('is sent once when it is due, and leaves the list', async () => {
    const { agent, ports, session, client, pass, texts } = await visit();
    const { id } = await agent.schedule(session.id, 'Good morning', ports.now() + 10 * minute);
    expect(agent.getSchedules()).toEqual([
      { id, sessionId: session.id, text: 'Good morning', due: ports.now() + 10 * minute, missed: 'run' },
    ]);
    await pass(9 * minute);
    expect(client.asked).toHaveLength(0);
    await pass(minute);
    expect(client.asked).toHaveLength(1);
    say(client.last(), 'Hello');
    await settled();
    expect(texts()).toEqual(['Good morning', 'Hello']);
    expect(session.getMessages()[0]).toMatchObject({ id, timestamp: ports.now() });
    expect(agent.getSchedules()).toEqual([]);
    await pass(60 * minute);
    expect(client.asked).toHaveLength(1);
  });

  test('is due at its time, beyond the longest timer of a browser, too', async () => {
    const ports = createManualPorts();
    const asked: number[] = [];
    const client = createManualClient();
    const delay: ManualPorts['delay'] = (call, ms) => (asked.push(ms), ports.delay(call, ms));
    const agent = createAgent({ client, ports: { ...ports, delay } });
    await agent.schedule(agent.createSession(), 'In a month', new Date(ports.now() + 30 * day));
    // As a browser fires a timer after a sleep: once.
    ports.pass(29 * day);
    await settled();
    expect(client.asked).toHaveLength(0);
    ports.pass(day);
    await settled();
    expect(client.asked).toHaveLength(1);
    expect(asked.length).toBeGreaterThan(0);
    expect(Math.max(...asked)).toBeLessThanOrEqual(minute);
  });

  test('follows the clock when it is set: forward within a minute, back later', async () => {
    const ports = createManualPorts();
    const client = createManualClient();
    let offset = 0;
    const agent = createAgent({ client, ports: { ...ports, now: () => ports.now() + offset } });
    await agent.schedule(agent.createSession(), 'Later', ports.now() + day);
    offset = -2 * day;
    await passTime([{ ports }], 25 * 60 * minute);
    expect(client.asked).toHaveLength(0);
    expect(listed(agent)).toEqual(['Later']);
    offset = day;
    await passTime([{ ports }], minute);
    expect(client.asked).toHaveLength(1);
    offset = -2 * day;
    await passTime([{ ports }], 10 * minute);
    expect(client.asked).toHaveLength(1);
  });

  test('is sent by one of the tabs that are open', async () => {
    const one = await visit();
    const other = await visit(one.browser, one.session.id);
    await one.agent.schedule(one.session.id, 'Once', one.ports.now() + minute);
    await passTime([one, other], 2 * minute);
    await passTime([one, other], 2 * minute);
    const asked = [...one.client.asked, ...other.client.asked];
    expect(asked).toHaveLength(1);
    say(one.client.asked.length > 0 ? one.client.last() : other.client.last(), 'Done');
    await settled();
    await passTime([one, other], 2 * minute);
    expect([one.texts(), other.texts()]).toEqual([
      ['Once', 'Done'],
      ['Once', 'Done'],
    ]);
    expect([listed(one.agent), listed(other.agent)]).toEqual([[], []]);
  });

  test('is listed in a tab that opens later, and cancelled there', async () => {
    const one = await visit();
    const { id } = await one.agent.schedule(one.session.id, 'Not at all', one.ports.now() + 5 * minute);
    const other = await visit(one.browser, one.session.id);
    await settled();
    expect(listed(other.agent)).toEqual(['Not at all']);
    expect(await other.agent.unschedule(id)).toBe(true);
    expect(await other.agent.unschedule(id)).toBe(false);
    expect(listed(other.agent)).toEqual([]);
    await passTime([one, other], 10 * minute);
    expect(one.client.asked).toHaveLength(0);
    expect(other.client.asked).toHaveLength(0);
    expect(listed(one.agent)).toEqual([]);
  });

  test('that was missed is sent at the next visit, once', async () => {
    const first = await visit();
    await first.agent.schedule(first.session.id, 'Missed', first.ports.now() + minute);
    first.kill();
    const client = createManualClient();
    const ports = createManualPorts('next');
    ports.pass(2 * day);
    const { agent } = first.browser.open({ client, ports });
    agent.schedules$.subscribe();
    await settled();
    expect(client.asked).toHaveLength(1);
    say(client.last(), 'Late');
    await settled();
    expect(textsOf(await agent.openSession(first.session.id))).toEqual(['Missed', 'Late']);
    const again = createManualClient();
    first.browser.open({ client: again, ports: createManualPorts('again') }).agent.schedules$.subscribe();
    await settled();
    expect(again.asked).toHaveLength(0);
  });

  test('that was missed is left out where the person chose so', async () => {
    const first = await visit();
    const { agent, session, ports } = first;
    await agent.schedule(session.id, 'Stale', ports.now() + minute, { missed: 'skip' });
    first.kill();
    const client = createManualClient();
    const later = createManualPorts('next');
    later.pass(60 * minute);
    const next = first.browser.open({ client, ports: later });
    next.agent.schedules$.subscribe();
    await settled();
    expect(client.asked).toHaveLength(0);
    expect(listed(next.agent)).toEqual([]);
    expect((await next.agent.openSession(session.id)).getState().queue).toEqual([]);
  });

  test('that is a little late is sent all the same', async () => {
    const first = await visit();
    await first.agent.schedule(first.session.id, 'Nearly', first.ports.now() + minute, { missed: 'skip' });
    first.kill();
    const client = createManualClient();
    const later = createManualPorts('next');
    later.pass(4 * minute);
    first.browser.open({ client, ports: later }).agent.schedules$.subscribe();
    await settled();
    expect(client.asked).toHaveLength(1);
  });

  test('that becomes due while it is being stored is sent at once', async () => {
    const ports = createManualPorts();
    const client = createManualClient();
    const { meta, ...store } = createMemoryStore();
    const update: typeof meta.update = async (name, change) => {
      ports.pass(1_000);
      await meta.update(name, change);
    };
    const agent = createAgent({ client, ports, store: { ...store, meta: { ...meta, update } } });
    await agent.schedule(agent.createSession(), 'In a moment', ports.now() + 500);
    await settled();
    expect(client.asked).toHaveLength(1);
  });

  test('follows the run that is under way', async () => {
    const { agent, ports, session, client, pass, texts } = await visit();
    await agent.schedule(session.id, 'Second', ports.now() + minute);
    void session.send('First');
    await settled();
    await pass(2 * minute);
    expect(client.asked).toHaveLength(1);
    expect(session.getState().queue).toMatchObject([{ mode: 'queue' }]);
    expect(session.getState().queue[0]?.due).toBeUndefined();
    expect(listed(agent)).toEqual([]);
    say(client.last(), 'One');
    await settled();
    expect(client.asked).toHaveLength(2);
    expect(texts().slice(0, 3)).toEqual(['First', 'One', 'Second']);
  });

  test('is not taken by a run that ends before it is due', async () => {
    const { agent, ports, session, client, texts } = await visit();
    await agent.schedule(session.id, 'Later', ports.now() + 10 * minute);
    void session.send('Now');
    await settled();
    say(client.last(), 'Yes');
    await settled();
    expect(client.asked).toHaveLength(1);
    expect(texts()).toEqual(['Now', 'Yes']);
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }));
  });

  test('stays without a client, says why, and is sent once there is one', async () => {
    const browser = createBrowser();
    const ports = createManualPorts();
    const errors: string[] = [];
    const { agent } = browser.open({ ports, onError: ({ code }) => errors.push(code) });
    const id = agent.createSession();
    await agent.schedule(id, 'Hello', ports.now() + minute);
    await passTime([{ ports }], 3 * minute);
    expect(agent.getSchedules()).toMatchObject([{ text: 'Hello', error: { code: 'MISSING_CLIENT' } }]);
    expect(errors).toEqual(['MISSING_CLIENT']);
    const client = createManualClient();
    agent.setClient(client);
    await settled();
    expect(client.asked).toHaveLength(1);
    expect(agent.getSchedules()).toEqual([]);
  });

  test('leaves with its session, and returns with it', async () => {
    const one = await visit();
    const other = await visit(one.browser);
    await one.agent.schedule(one.session.id, 'Hello', one.ports.now() + 10 * minute);
    await passTime([one, other], 2_000);
    expect(listed(other.agent)).toEqual(['Hello']);
    one.agent.removeSession(one.session.id);
    await one.agent.removed(one.session.id);
    await passTime([one, other], 2_000);
    expect([listed(one.agent), listed(other.agent)]).toEqual([[], []]);
    expect(await one.agent.restoreSession(one.session.id)).toBe(true);
    await passTime([one, other], 2_000);
    expect([listed(one.agent), listed(other.agent)]).toEqual([['Hello'], ['Hello']]);
    await passTime([one, other], 10 * minute);
    expect(one.client.asked.length + other.client.asked.length).toBe(1);
  });

  test('of a session that is removed for good is not sent', async () => {
    const { agent, ports, session, client, pass } = await visit();
    await agent.schedule(session.id, 'Hello', ports.now() + minute);
    agent.removeSession(session.id);
    await pass(20 * minute);
    expect(client.asked).toHaveLength(0);
    expect(agent.getSchedules()).toEqual([]);
  });

  test('leaves the list when it leaves the queue', async () => {
    const { agent, ports, session } = await visit();
    const { id } = await agent.schedule(session.id, 'One', ports.now() + minute);
    await agent.schedule(session.id, 'Two', ports.now() + minute);
    session.unqueue(id);
    await settled();
    expect(listed(agent)).toEqual(['Two']);
    session.clear();
    await settled();
    expect(listed(agent)).toEqual([]);
  });

  test('is not in a copy, nor in an imported file', async () => {
    const { agent, ports, session } = await visit();
    await agent.schedule(session.id, 'Later', ports.now() + minute);
    const copy = await agent.openSession(await agent.forkSession(session.id));
    expect(copy.getState().queue).toEqual([]);
    let file = '';
    if (agent.store) for await (const piece of exportAll(agent.store)) file += piece;
    expect(file).toContain('Later');
    const elsewhere = createMemoryStore();
    await importSessions(elsewhere, file);
    const there = createAgent({ store: elsewhere });
    expect((await there.openSession(session.id)).getState().queue).toEqual([]);
  });

  test('is kept for the page without a store, and in a store without `meta`', async () => {
    const ports = createManualPorts();
    const client = createManualClient();
    const { meta: _meta, ...store } = createMemoryStore();
    const agent = createAgent({ client, ports });
    await agent.schedule(agent.createSession(), 'In memory', ports.now() + minute);
    const first = createAgent({ client, ports, store });
    const id = first.createSession();
    await first.schedule(id, 'Stored', ports.now() + 2 * minute);
    await first.dispose();
    const second = createAgent({ client, ports, store });
    await second.openSession(id);
    await settled();
    expect(listed(second)).toEqual(['Stored']);
    await passTime([{ ports }], 3 * minute);
    expect(client.asked).toHaveLength(2);
  });

  test('keeps its place where the store refuses', async () => {
    const { agent, ports, session } = await visit();
    const { store } = agent;
    if (!store?.meta) return expect.unreachable();
    Object.assign(store.meta, { update: () => Promise.reject(new Error('full')) });
    await expect(agent.schedule(session.id, 'No', ports.now() + minute)).rejects.toThrow('full');
    expect(session.getState().queue).toEqual([]);
    expect(listed(agent)).toEqual([]);
  });

  test.each([
    ['a past time', () => ['x', 0] as const, 'passed'],
    ['no number', () => ['x', Number.NaN] as const, 'valid Date'],
    ['an invalid date', () => ['x', new Date('?')] as const, 'valid Date'],
    ['an endless time', () => ['x', Infinity] as const, 'valid Date'],
    ['a time in microseconds', () => ['x', Date.now() * 1_000] as const, 'ten years'],
    ['a text as a time', () => ['x', untyped('tomorrow')] as const, 'valid Date'],
    ['a blank message', () => [' ', 1e9] as const, 'empty'],
    ['an unknown choice', () => ['x', 1e9, untyped({ missed: 'later' })] as const, 'missed'],
  ])('is refused with %s', async (_name, toArguments, message) => {
    const { agent, session } = await visit();
    const [input, when, options] = toArguments();
    await expect(agent.schedule(session.id, input, when, options)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
    expect(session.getState().queue).toEqual([]);
    expect(agent.getSchedules()).toEqual([]);
  });

  test('is refused for an unknown session, and for an id that the session has', async () => {
    const { agent, ports, session } = await visit();
    const when = ports.now() + minute;
    await expect(agent.schedule('none', 'x', when)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    const { id } = await agent.schedule(session.id, { id: 'mine', content: 'x' }, when);
    expect(id).toBe('mine');
    await expect(agent.schedule(session.id, { id, content: 'y' }, when)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(listed(agent)).toEqual(['x']);
    await expect(agent.schedule(session.id, 'x', when, untyped({ mised: 'skip' }))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });
});
