import type { SessionStore } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { reply } from 'brooklet/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { missingIn } from '../../src/sync/replica/compare.ts';
import { createDevice, type Device } from './support.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets virtual time pass. An `import()` takes real time. */
async function settle(ms = 1_000): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

const answers = [[reply.text('Hello.')]];

/** A store of several devices that has sessions of a device which is off now. Each log takes some ms to be read. */
async function createEngine(count: number, ms: number) {
  const engine = createMemoryStore();
  const ann = createDevice('Ann', engine, { answers });
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const id = ann.agent.createSession();
    ids.push(id);
    void (await ann.agent.openSession(id)).send(`Question ${nth}`);
    await settle(20);
  }
  await settle(5_000);
  await ann.store.sync();
  ann.store.close();
  const reads: string[] = [];
  const slow: SessionStore = {
    ...engine,
    async read(id, options) {
      reads.push(id);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return engine.read(id, options);
    },
  };
  return { engine, slow, ids, reads };
}

async function rowsOf(store: SessionStore) {
  const { sessions } = await store.list({ limit: 500 });
  // What a row states of its write differs by side.
  return sessions.map(({ seq: _seq, origin: _origin, ...row }) => row);
}

const textsOf = async ({ agent }: Device, id: string): Promise<string> =>
  JSON.stringify((await agent.openSession(id)).getMessages());

describe('a new device', () => {
  test('lists every session before it has a log', async () => {
    const { engine, slow, reads } = await createEngine(30, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(10);
    expect(await rowsOf(bob.store)).toEqual(await rowsOf(engine));
    expect(await rowsOf(bob.store)).toHaveLength(30);
    expect(reads).toHaveLength(1);
    expect(bob.store.getStatus().state).toBe('behind');
  });

  test('shows the calls that wait on another device before it has their logs, until that device decides', async () => {
    const engine = createMemoryStore();
    const ann = createDevice('Ann', engine, { answers: [[reply.call('pay', { amount: 20 })], [reply.text('Paid.')]] });
    const session = await ann.agent.openSession(ann.agent.createSession());
    void session.send('Pay the rent');
    await settle(5_000);
    await ann.store.sync();
    const read = vi.fn<SessionStore['read']>(() => new Promise(() => {}));
    const bob = createDevice('Bob', { ...engine, read });
    bob.agent.pending$.subscribe();
    await settle();
    const waits = { sessionId: session.id, title: 'Pay the rent', name: 'pay', isOpen: false };
    expect(bob.agent.getPending()).toMatchObject([waits]);
    read.mockImplementation(engine.read);
    await session.reject(bob.agent.getPending()[0]?.callId ?? '');
    await settle(60_000);
    expect(bob.agent.getPending()).toEqual([]);
    expect([ann.ran, bob.ran, bob.agent.getSession(session.id)]).toEqual([[], [], undefined]);
  });

  test('fetches every log in time, the newest first', async () => {
    const { engine, slow, ids, reads } = await createEngine(5, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(60_000);
    expect([...new Set(reads)]).toEqual(ids.toReversed());
    for (const id of ids) {
      const [here, there] = [await bob.local.read(id), await engine.read(id)];
      expect(missingIn(there?.events ?? [], here?.events ?? [])).toEqual([]);
      expect(here?.events).toHaveLength(there?.events.length ?? -1);
      const origins = here?.events.flatMap((event) => ('message' in event ? [event.message.origin] : []));
      expect(new Set(origins)).toEqual(new Set([{ type: 'device' }]));
    }
    expect(bob.store.getStatus().state).toBe('in-step');
    expect([bob.forks, bob.troubles]).toEqual([[], []]);
  });

  test('fetches the log of a session that is opened before all others', async () => {
    const { slow, ids } = await createEngine(30, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(10);
    const [oldest = ''] = ids;
    const texts = textsOf(bob, oldest);
    await settle(5_000);
    expect(await texts).toContain('Question 0');
    expect(await texts).toContain('Hello.');
    expect(bob.store.getStatus().state).toBe('behind');
  });

  test('sends what is written on it before it has all logs', async () => {
    const { engine, slow } = await createEngine(30, 1_000);
    const bob = createDevice('Bob', slow, { answers });
    await settle(10);
    const id = bob.agent.createSession();
    void (await bob.agent.openSession(id)).send('From Bob');
    await settle(5_000);
    expect(JSON.stringify((await engine.read(id))?.events)).toContain('From Bob');
  });

  test('cannot open a session whose log is not here while it is offline, and can later', async () => {
    const { slow, ids } = await createEngine(3, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(10);
    bob.connect(false);
    const [oldest = ''] = ids;
    await expect(bob.agent.openSession(oldest)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    bob.connect(true);
    await settle(10_000);
    expect(await textsOf(bob, oldest)).toContain('Question 0');
  });

  test('removes a session whose log was not here so that it can be restored', async () => {
    const { engine, slow, ids } = await createEngine(3, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(10);
    const [oldest = ''] = ids;
    const removed = bob.store.remove(oldest);
    await settle(5_000);
    expect(await removed).toBe(true);
    await settle(10_000);
    expect(await rowsOf(bob.store)).toHaveLength(2);
    await bob.store.restore?.(oldest);
    await settle(10_000);
    expect(await textsOf(bob, oldest)).toContain('Question 0');
    expect(JSON.stringify((await engine.read(oldest))?.events)).toContain('Question 0');
  });

  test('drops a session that was removed before its log was here', async () => {
    const { engine, slow, ids } = await createEngine(3, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(10);
    const [oldest = ''] = ids;
    await engine.remove(oldest);
    await settle(10_000);
    expect(await rowsOf(bob.store)).toEqual(await rowsOf(engine));
    expect(await rowsOf(bob.store)).toHaveLength(2);
  });

  test('says nothing of a session whose log is not here', async () => {
    const { slow, ids } = await createEngine(3, 1_000);
    const bob = createDevice('Bob', slow);
    await settle(10);
    const seen: unknown[] = [];
    const subscription = bob.store.sessionSync$(ids[0] ?? '').subscribe((sync) => void seen.push(sync));
    await settle(10);
    expect(seen).toEqual([undefined]);
    await settle(10_000);
    subscription.unsubscribe();
    expect(seen).toEqual([undefined, { state: 'in-step' }]);
  });
});
