import { createMemoryStore } from 'brooklet/storage';
import { reply } from 'brooklet/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { syncSession } from '../../src/sync/replica/sync-session.ts';
import { createSyncedStore as createOldStore } from './old/synced-store.mjs';
import { createDevice, createStore, type Device, syncAll } from './support.ts';
import { all, type Case, contentOf, createWorld, id, isRemoval, problemsOf, walk, type World } from './table.ts';

// The version before read in the id of a write what is a field of its row now. Its pages may be open beside this version, on the same device
// and on others.

const versions = { old: createOldStore, new: createStore } as const;
const pairs = [
  ['old', 'new'],
  ['new', 'old'],
] as const;

describe.each(pairs)('a device of the %s version, and one of the %s version', (one, other) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function settle(ms = 1_000): Promise<void> {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(ms);
  }

  async function talk(device: Device, sessionId: string, text: string): Promise<void> {
    const session = await device.agent.openSession(sessionId);
    void session.send(text);
    await settle();
    await session.flushed();
  }

  const textOf = async ({ local }: Device, sessionId: string): Promise<string> =>
    JSON.stringify((await local.read(sessionId))?.events ?? 'no log');

  async function createPair(answers = Array.from({ length: 9 }, () => [reply.text('Hello.')])) {
    const engine = createMemoryStore();
    const ann = createDevice('Ann', engine, { answers, create: versions[one] });
    const bob = createDevice('Bob', engine, { answers, create: versions[other] });
    const sessionId = ann.agent.createSession();
    return { engine, ann, bob, sessionId };
  }

  test('have the same after each of them has written', async () => {
    const { ann, bob, sessionId } = await createPair();
    await talk(ann, sessionId, 'From Ann');
    await syncAll(ann, bob);
    await talk(bob, sessionId, 'From Bob');
    await syncAll(ann, bob);
    for (const device of [ann, bob])
      for (const text of ['From Ann', 'From Bob']) expect(await textOf(device, sessionId)).toContain(text);
    expect([...ann.troubles, ...bob.troubles, ...ann.forks, ...bob.forks]).toEqual([]);
  });

  test('keep what diverged as one fork', async () => {
    const { ann, bob, sessionId } = await createPair();
    await talk(ann, sessionId, 'Hi');
    await syncAll(ann, bob);
    bob.connect(false);
    await talk(bob, sessionId, 'From Bob');
    await talk(ann, sessionId, 'From Ann');
    bob.connect(true);
    await syncAll(ann, bob);
    expect(bob.forks).toMatchObject([{ sessionId, device: 'Bob' }]);
    for (const device of [ann, bob]) {
      expect(await textOf(device, sessionId)).toContain('From Ann');
      expect(await textOf(device, bob.forks[0]?.keptAs ?? '')).toContain('From Bob');
    }
  });

  test('remove a session on both, and each finds the mark of the other', async () => {
    const { engine, ann, bob, sessionId } = await createPair();
    await talk(ann, sessionId, 'Hi');
    await syncAll(ann, bob);
    await ann.store.remove(sessionId);
    await syncAll(ann, bob);
    expect([await ann.local.read(sessionId), await bob.local.read(sessionId)]).toEqual([undefined, undefined]);
    await settle(3_600_000);
    await syncAll(bob, ann);
    expect(await engine.read(sessionId)).toBeUndefined();
    expect([...ann.troubles, ...bob.troubles]).toEqual([]);
  });

  test('know which of them runs the session', async () => {
    const { ann, bob, sessionId } = await createPair([
      [reply.text('one two three four five six seven eight nine ten', { ms: 1_000 })],
    ]);
    const session = await ann.agent.openSession(sessionId);
    void session.send('Count');
    await settle(3_000);
    await bob.store.sync();
    const opening = bob.agent.openSession(sessionId);
    await settle(1_001);
    expect((await opening).getStatus()).toBe('running');
    await settle(30_000);
    expect((await opening).getState().run?.outcome).toBe('completed');
  });
});

/** Brings both sides in step by a page of the version before. */
async function syncOld(world: World): Promise<void> {
  const { local, remote, revived } = world;
  const now = world.env.ports.now;
  const stay = { close: () => {} };
  const store = createOldStore({
    local: { ...local, ...stay },
    remote: { ...remote, ...stay },
    device: 'Ann',
    name: 'engine',
    ports: { now, id: world.env.ports.id },
    onTrouble: ({ type }) => void revived.push(type),
  });
  await store.sync();
  await store.sync();
  store.close();
}

/** Cases that differ in what the version before can read of a row. */
const cases: readonly Case[] = all.filter(({ base }) => base !== 'fork continued');

describe('two pages of one device', () => {
  test('the old one changes nothing that the new one has brought in step', async () => {
    const found = await walk(cases, async (one) => {
      const world = await createWorld(one);
      // The page of the version before brings every session in step, a fork as well.
      for (const each of [id, 'fork']) await syncSession(each, world.env, false);
      const before = await contentOf(world);
      await syncOld(world);
      return before === (await contentOf(world)) ? [] : ['the old page has changed something'];
    });
    expect(found).toEqual([]);
  });

  test('the old one loses nothing that the new one has left half-done', async () => {
    const found = await walk(cases, async (one) => {
      const problems: string[] = [];
      for (let nth = 0; ; nth++) {
        const world = await createWorld(one);
        world.failsFrom = nth;
        const isDone = await syncSession(id, world.env, false).then(
          () => true,
          () => false,
        );
        if (isDone) return problems;
        await syncOld(world);
        // The page of this version that is opened next completes what the other one does not note.
        world.failsFrom = Infinity;
        await syncSession(id, world.env, false);
        problems.push(...(await problemsOf(one, world)).map((problem) => `${problem} (cut at change ${nth})`));
      }
    });
    expect(found).toEqual([]);
  });

  test('are both played where a session was removed', () => {
    expect(cases.filter(isRemoval).length).toBeGreaterThan(5);
  });
});
