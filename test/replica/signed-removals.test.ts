import { createMemoryStore } from 'brooklet/storage';
import { reply } from 'brooklet/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { installImmediateCrypto } from '../support/immediate-crypto.ts';
import { createSigners } from './signers.ts';
import { createDevice, type Device, syncAll } from './support.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let restoreCrypto = (): void => {};
beforeAll(() => void (restoreCrypto = installImmediateCrypto()));
afterAll(() => restoreCrypto());

async function settle(ms = 1_000): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}

/** Ann and Bob have the same session. Eve has the key of the store, and is not known. */
async function createShared() {
  const engine = createMemoryStore();
  const meta = engine.meta ?? expect.unreachable();
  const signers = await createSigners({ known: ['Ann', 'Bob'], unknown: ['Eve'], meta });
  const create = (name: string, isSigning = true): Device =>
    createDevice(name, engine, {
      answers: [[reply.text('Yes.')], [reply.text('Again.')]],
      ...(isSigning && { devices: signers.guardOf(name, true) }),
    });
  const [ann, bob, eve] = [create('Ann'), create('Bob'), create('Eve')];
  const id = ann.agent.createSession();
  const session = await ann.agent.openSession(id);
  await Promise.all([session.send('Hi'), settle()]);
  await session.flushed();
  await syncAll(ann, bob, eve);
  return { engine, meta, signers, create, ann, bob, eve, id, session };
}

const has = async ({ local }: Device, id: string): Promise<boolean> => (await local.read(id)) !== undefined;
const entryOf = (id: string): string => `brooklet removal ${id}`;

test('a removal by a known device counts on the others, also on one that comes back after the mark is gone', async () => {
  const { engine, ann, bob, eve, id } = await createShared();
  bob.connect(false);
  await ann.store.remove(id);
  await syncAll(ann, eve);
  expect(await has(eve, id)).toBe(false);
  await settle(3_600_000);
  await syncAll(ann, eve);
  expect(await engine.read(id)).toBeUndefined();
  bob.connect(true);
  await settle(60_000);
  await syncAll(bob);
  expect([await has(bob, id), bob.troubles]).toEqual([false, []]);
});

test.each([
  ['an unknown device', 'unknown-device'],
  ['a device that was removed from the list', 'removed-device'],
  ['a page of an earlier version, or a program', 'unsigned'],
  ['a program that removes the row alone', 'unsigned'],
] as const)('a removal by %s removes nothing on a known device, which says so once', async (who, why) => {
  const { engine, signers, create, ann, bob, eve, id } = await createShared();
  if (who === 'a program that removes the row alone') await engine.remove(id);
  else if (who === 'a page of an earlier version, or a program') {
    const old = create('Old', false);
    await syncAll(old);
    await old.store.remove(id);
    await syncAll(old);
  } else {
    if (why === 'removed-device') await signers.remove('Bob');
    const remover = why === 'removed-device' ? bob : eve;
    await remover.store.remove(id);
    await syncAll(remover);
  }
  await ann.store.sync().catch(() => {});
  await settle(120_000);
  await ann.store.sync().catch(() => {});
  expect(await has(ann, id)).toBe(true);
  expect(ann.troubles).toEqual([
    {
      type: 'refused',
      sessionId: id,
      error: expect.objectContaining({ code: 'STORAGE_CORRUPT', message: expect.stringContaining(`(${why})`) }),
    },
  ]);
});

test('a session whose removal does not count is stored there again once its person goes on, and can be removed here', async () => {
  const { engine, ann, bob, eve, id, session } = await createShared();
  await eve.store.remove(id);
  await syncAll(eve);
  await ann.store.sync().catch(() => {});
  await Promise.all([session.send('Go on'), settle()]);
  await session.flushed();
  await settle(60_000);
  await ann.store.sync();
  expect((await engine.read(id))?.events.some((event) => event.type === 'message.added')).toBe(true);
  await bob.store.sync();
  expect(await has(bob, id)).toBe(true);
  await ann.store.remove(id);
  await syncAll(ann, bob);
  expect([await has(ann, id), await has(bob, id)]).toEqual([false, false]);
});

test('a statement is of one session and of one time: no copy of it removes another session, or the session that was restored', async () => {
  const { engine, meta, signers, ann, bob, id } = await createShared();
  const other = await ann.agent.openSession(ann.agent.createSession());
  await Promise.all([other.send('Other'), settle()]);
  await other.flushed();
  await syncAll(ann, bob);
  bob.connect(false);
  await ann.store.remove(id);
  await ann.store.sync();
  const statement = await meta.get(entryOf(id));
  expect(statement).toMatchObject({ proof: { device: signers.idOf('Ann') } });
  await ann.store.restore?.(id);
  const restored = await ann.agent.openSession(id);
  await Promise.all([restored.send('After all'), settle()]);
  await restored.flushed();
  await ann.store.sync();
  bob.connect(true);
  await settle(60_000);
  await syncAll(bob);
  expect(await has(bob, id)).toBe(true);

  for (const one of [id, other.id]) {
    await meta.update(entryOf(one), () => statement);
    await engine.remove(one);
  }
  await bob.store.sync().catch(() => {});
  expect([await has(bob, id), await has(bob, other.id)]).toEqual([true, true]);
  expect(
    bob.troubles.map(({ sessionId, ...trouble }) => [sessionId, 'error' in trouble && trouble.error.message]),
  ).toEqual(
    expect.arrayContaining([
      [id, expect.stringContaining('(replayed)')],
      [other.id, expect.stringContaining('(invalid)')],
    ]),
  );
});

test.each([
  ['no object', 'text', 'unsigned'],
  ['no proof', { seq: 9, writeId: 'w' }, 'unsigned'],
  ['another seq', { seq: 99 }, 'invalid'],
  ['a seq that is none', { seq: '9' }, 'invalid'],
  ['no writeId', { writeId: 7 }, 'invalid'],
  ['a signature that is none', { proof: { device: 'Ann', signature: 7 } }, 'invalid'],
  ['a device that is none', { proof: { device: 7, signature: 's' } }, 'invalid'],
  ['another device', { proof: { device: 'Bob', signature: 's' } }, 'invalid'],
] as const)('a statement with %s does not count', async (_what, change, why) => {
  const { meta, signers, id } = await createShared();
  const [ann, bob] = ['Ann', 'Bob'].map((name) => signers.guardOf(name, true).removals);
  await ann?.note(id, { seq: 9, writeId: 'a/b' });
  expect(await bob?.vet(id, { seq: 9, writeId: 'a/b' })).toBeUndefined();
  const right = await meta.get(entryOf(id));
  const isPart = typeof change === 'object' && why === 'invalid';
  const named = typeof change === 'object' && 'proof' in change && change.proof.device === 'Bob';
  const changed = named ? { proof: { ...change.proof, device: signers.idOf('Bob') } } : change;
  await meta.update(entryOf(id), () => (isPart ? Object.assign({}, right, changed) : changed));
  expect(await bob?.vet(id, { seq: 9, writeId: 'a/b' })).toBe(why);
});

test('a statement covers what its device had read, and not what came later', async () => {
  const { signers, id } = await createShared();
  const [ann, bob] = ['Ann', 'Bob'].map((name) => signers.guardOf(name, true).removals);
  await ann?.note(id, { seq: 9 });
  expect(await bob?.vet(id, { seq: 9 })).toBeUndefined();
  expect(await bob?.vet(id, { seq: 8, writeId: 'x/y' })).toBeUndefined();
  expect(await bob?.vet(id, { seq: 9, writeId: 'x/y' })).toBe('replayed');
  expect(await bob?.vet(id, { seq: 10 })).toBe('replayed');
});
