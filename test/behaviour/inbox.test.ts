import { createAgent, type PendingCall, type SessionStore, toolParts } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, recorded, sessionOf } from '../support/stage.ts';
import { until } from '../support/until.ts';

/** A page with an agent on a store, and what its inbox has shown. */
function openPage(store: SessionStore, options: Partial<Parameters<typeof createAgent>[0]> = {}) {
  const client = createManualClient();
  const pay = recorded('pay', { needsApproval: true });
  const agent = createAgent({ client, tools: [pay.tool], store, ...options });
  const seen: (readonly PendingCall[])[] = [];
  return {
    agent,
    client,
    runs: pay.runs,
    seen,
    watch: () => agent.pending$.subscribe((calls) => seen.push(calls)),
    /** What the inbox shows now. */
    shown: () => agent.getPending().map(({ title, isOpen, name }) => [title, isOpen, name]),
  };
}

type Page = ReturnType<typeof openPage>;

/** Lets a new session of a page wait for a decision on `pay`. */
async function wait({ agent, client }: Pick<Page, 'agent' | 'client'>, title: string): Promise<string> {
  const id = agent.createSession();
  const session = await agent.openSession(id);
  session.rename(title);
  await ask({ session, client }, ['pay', '{"card":"4111"}']);
  await session.flushed();
  return id;
}

/** A store in which these sessions wait, whose page has been closed. */
async function storeWith(...titles: readonly string[]): Promise<{ store: SessionStore; ids: readonly string[] }> {
  const store = createMemoryStore();
  const page = openPage(store);
  const ids: string[] = [];
  for (const title of titles) ids.push(await wait(page, title));
  await page.agent.dispose();
  return { store, ids };
}

/** Stores the row of a session as a version before the list of waiting calls did. */
async function forgetCalls(store: SessionStore, id: string): Promise<void> {
  const stored = (await store.read(id)) ?? expect.unreachable();
  const { waiting: _waiting, ...summary } = stored.summary;
  await store.write({
    sessionId: id,
    events: [{ type: 'session.renamed', title: summary.title, seq: summary.seq + 1, at: summary.updatedAt, v: 2 }],
    summary: { ...summary, seq: summary.seq + 1 },
    expectedSeq: summary.seq,
    durability: 'relaxed',
  });
}

describe('the inbox', () => {
  test('shows the calls of stored sessions by their rows, and opens and reads no session', async () => {
    const { store, ids } = await storeWith('Rent', 'Power');
    const read = vi.spyOn(store, 'read');
    const page = openPage(store);
    page.watch();
    expect(page.agent.getPending()).toEqual([]);
    await until(() =>
      expect(page.shown()).toEqual([
        ['Rent', false, 'pay'],
        ['Power', false, 'pay'],
      ]),
    );
    const [first] = page.agent.getPending();
    expect(first).toEqual({
      isOpen: false,
      sessionId: ids[0],
      title: 'Rent',
      callId: expect.any(String),
      name: 'pay',
      kind: 'approval',
      requestedAt: expect.any(Number),
    });
    expect(JSON.stringify(page.agent.getPending())).not.toContain('4111');
    expect(read).not.toHaveBeenCalled();
    expect(ids.map((id) => page.agent.getSession(id))).toEqual([undefined, undefined]);
  });

  test('shows the whole call once its session is open, once, and the tool runs once when it is approved', async () => {
    const { store, ids } = await storeWith('Rent');
    const page = openPage(store);
    page.watch();
    await until(() => expect(page.shown()).toEqual([['Rent', false, 'pay']]));
    const [stored] = page.agent.getPending();
    const session = await page.agent.openSession(ids[0] ?? '');
    const [open] = page.agent.getPending();
    expect(page.agent.getPending()).toHaveLength(1);
    expect(open).toMatchObject({ ...stored, isOpen: true, call: { input: { card: '4111' } } });
    expect(open?.call).toBe(session.getMessages().flatMap(toolParts)[0]);
    await session.approve(open?.callId ?? '');
    await until(() => expect(page.client.asked).toHaveLength(1));
    say(page.client.last(), 'Paid.');
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect([page.runs.length, page.shown()]).toEqual([1, []]);
    expect(page.seen.every((calls) => calls.length <= 1)).toBe(true);
  });

  test('orders the calls of open and stored sessions by the time of their requests', async () => {
    const { store, ids } = await storeWith('one', 'three');
    const page = openPage(store);
    const [first, last] = ids;
    const id = await wait(page, 'two');
    const rows = (await store.list()).sessions.map((row) => {
      const at = row.id === first ? 1 : row.id === last ? 9e12 : undefined;
      return { ...row, waiting: row.waiting?.map((call) => ({ ...call, requestedAt: at ?? call.requestedAt })) ?? [] };
    });
    vi.spyOn(store, 'list').mockResolvedValue({ sessions: rows });
    page.watch();
    await until(() => expect(page.agent.getPending()).toHaveLength(3));
    expect(page.shown()).toEqual([
      ['one', false, 'pay'],
      ['two', true, 'pay'],
      ['three', false, 'pay'],
    ]);
    expect(page.agent.getPending()[1]?.sessionId).toBe(id);
  });

  test('shows a session that is closed without a gap, and none of its decided calls', async () => {
    const { store, ids } = await storeWith('Rent');
    const page = openPage(store);
    page.watch();
    await until(() => expect(page.shown()).toHaveLength(1));
    const [id = ''] = ids;
    await page.agent.openSession(id);
    const from = page.seen.length;
    await page.agent.closeSession(id);
    await until(() => expect(page.shown()).toEqual([['Rent', false, 'pay']]));
    expect(page.seen.slice(from).map((calls) => calls.length)).toEqual([1]);
    const session = await page.agent.openSession(id);
    await session.reject(callIdOf(session));
    await until(() => expect(page.client.asked).toHaveLength(1));
    const decided = page.seen.length;
    await page.agent.closeSession(id);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([page.shown(), page.seen.slice(decided).flat()]).toEqual([[], []]);
  });

  test('forgets a call that another tab decides, and shows one that another tab asks', async () => {
    const { store, ids } = await storeWith('Rent');
    const [here, there] = [openPage(store), openPage(store)];
    here.watch();
    await until(() => expect(here.shown()).toHaveLength(1));
    const session = await there.agent.openSession(ids[0] ?? '');
    await session.approve(callIdOf(session));
    await until(() => expect(here.shown()).toEqual([]));
    await wait(there, 'Power');
    await until(() => expect(here.shown()).toEqual([['Power', false, 'pay']]));
    expect(here.runs).toHaveLength(0);
  });

  test('forgets a removed session at once, also while the store still has it, and shows a restored one', async () => {
    const { store, ids } = await storeWith('Rent', 'Power');
    const gate = createGate();
    const page = openPage(store);
    const { remove, list } = store;
    store.remove = async (id) => {
      await gate.opened;
      return remove(id);
    };
    // As a store on a disk, whose answers are older than what was removed meanwhile.
    store.list = async (options) => {
      const found = await list(options);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return found;
    };
    page.watch();
    await until(() => expect(page.shown()).toHaveLength(2));
    page.agent.removeSession(ids[0] ?? '');
    expect(page.shown()).toEqual([['Power', false, 'pay']]);
    const removed = page.seen.length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    gate.open();
    await page.agent.removed(ids[0] ?? '');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(page.seen.slice(removed).every((calls) => calls.length === 1)).toBe(true);
    await page.agent.restoreSession(ids[0] ?? '');
    await until(() => expect(page.shown()).toHaveLength(2));
  });

  test('shows a session again whose removal the store refuses', async () => {
    const { store, ids } = await storeWith('Rent');
    const page = openPage(store);
    store.remove = () => Promise.reject(new Error('no'));
    page.watch();
    await until(() => expect(page.shown()).toHaveLength(1));
    page.agent.removeSession(ids[0] ?? '');
    expect(page.shown()).toEqual([]);
    await until(() => expect(page.shown()).toHaveLength(1));
  });

  test('reads nothing before somebody watches, and nothing after', async () => {
    const { store } = await storeWith('Rent');
    const list = vi.spyOn(store, 'list');
    const page = openPage(store);
    await settled();
    expect(list).not.toHaveBeenCalled();
    const [one, two] = [page.watch(), page.watch()];
    await until(() => expect(page.shown()).toHaveLength(1));
    one.unsubscribe();
    expect(page.shown()).toHaveLength(1);
    two.unsubscribe();
    const times = list.mock.calls.length;
    await wait(openPage(store), 'Power');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([list.mock.calls.length - times, page.shown()]).toEqual([0, []]);
  });

  test('keeps the same array while nothing changes, and reads once for many changes', async () => {
    const { store } = await storeWith('Rent');
    const list = vi.spyOn(store, 'list');
    const page = openPage(store);
    page.watch();
    await until(() => expect(page.shown()).toHaveLength(1));
    const before = page.agent.getPending();
    const other = createAgent({ client: createManualClient(), store });
    const noted = sessionOf(other, other.createSession());
    const times = list.mock.calls.length;
    for (let index = 0; index < 20; index++) {
      noted.rename(`Note ${index}`);
      await noted.flushed();
    }
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(list.mock.calls.length - times).toBeLessThanOrEqual(3);
    expect(page.agent.getPending()).toBe(before);
    expect(page.seen.filter((calls) => calls.length > 0)).toHaveLength(1);
  });

  test('shows a session of two pages once, and stops after ten pages of a store that does not know the filter', async () => {
    const { store } = await storeWith('Rent');
    const { list } = store;
    const [row = expect.unreachable()] = (await list()).sessions;
    const { waiting: _waiting, ...rest } = row;
    const other = { ...rest, id: 'other', status: 'idle' } as const;
    const asked: unknown[] = [];
    store.list = async (options = {}) => {
      asked.push(options.waiting);
      return { sessions: [3, 4].includes(asked.length) ? [row, other] : [other], cursor: '[1,"a"]' };
    };
    const page = openPage(store);
    page.watch();
    await until(() => expect(page.shown()).toEqual([['Rent', false, 'pay']]));
    expect(asked).toEqual(Array(10).fill(true));
  });

  test('repeats a read that fails, and keeps what it knew', async () => {
    const { store } = await storeWith('Rent');
    const ports = createManualPorts('tab');
    const page = openPage(store, { ports });
    const { list } = store;
    let isBroken = true;
    store.list = (options) => (isBroken ? Promise.reject(new Error('locked')) : list(options));
    page.watch();
    await settled();
    expect(page.shown()).toEqual([]);
    ports.pass(1_000);
    await settled();
    isBroken = false;
    ports.pass(1_999);
    await settled();
    expect(page.shown()).toEqual([]);
    ports.pass(1);
    await settled();
    expect(page.shown()).toHaveLength(1);
    isBroken = true;
    ports.pass(300);
    await wait(openPage(store), 'Power');
    await settled();
    expect(page.shown()).toHaveLength(1);
    isBroken = false;
    ports.pass(1_000);
    await settled();
    expect(page.shown()).toHaveLength(2);
  });
});

describe('the inbox of rows of an older version', () => {
  test('reads the end of each log once for the calls that its row does not list', async () => {
    const { store, ids } = await storeWith('Rent');
    const [id = ''] = ids;
    const before = (await store.read(id))?.summary.waiting;
    await forgetCalls(store, id);
    const read = vi.spyOn(store, 'read');
    const page = openPage(store);
    page.watch();
    await until(() => expect(page.shown()).toEqual([['Rent', false, 'pay']]));
    expect(page.agent.getPending()).toMatchObject(before ?? expect.unreachable());
    await wait(openPage(store), 'Power');
    await until(() => expect(page.shown()).toHaveLength(2));
    expect(read.mock.calls.filter(([asked]) => asked === id)).toEqual([[id, { after: 0 }]]);
  });

  test('names the session alone where its log does not tell, and reads 20 logs at most', async () => {
    const { store, ids } = await storeWith(...Array.from({ length: 22 }, (_, index) => `s${index}`));
    for (const id of ids) await forgetCalls(store, id);
    const { read } = store;
    const asked: string[] = [];
    store.read = async (id, options) => {
      asked.push(id);
      return id === ids[21] ? Promise.reject(new Error('unreadable')) : read(id, options);
    };
    const page = openPage(store);
    page.watch();
    await until(() => expect(page.agent.getPending()).toHaveLength(22));
    const unknown = page.agent.getPending().filter(({ callId }) => callId === undefined);
    expect(unknown.map(({ title }) => title).toSorted()).toEqual(['s0', 's1', 's21']);
    expect(unknown[0]).toEqual({
      isOpen: false,
      sessionId: expect.any(String),
      title: expect.any(String),
      requestedAt: expect.any(Number),
    });
    expect(asked).toHaveLength(20);
  });
});
