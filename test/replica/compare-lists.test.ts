import { createMemoryStore } from 'brooklet/storage';
import type { SessionStore } from 'brooklet/core';
import { expect, test } from 'vitest';
import type { Base } from '../../src/sync/replica/base.ts';
import { compareLists } from '../../src/sync/replica/compare-lists.ts';

/** A store with one session, whose row is the same whatever its messages say. */
async function storeWith(text: string): Promise<SessionStore> {
  const store = createMemoryStore();
  const row = { id: 'a', title: 'Hi', createdAt: 1, updatedAt: 2, status: 'idle', messageCount: 1 } as const;
  await store.write({
    sessionId: 'a',
    events: [
      { type: 'session.started', sessionId: 'a', seq: 1, at: 1, v: 2 },
      {
        type: 'message.added',
        message: { id: text, role: 'user', content: [{ type: 'text', text }], timestamp: 2 },
        seq: 2,
        at: 2,
        v: 2,
      },
    ],
    summary: { ...row, usage: { input: 0, output: 0 }, seq: 2 },
    expectedSeq: 0,
    durability: 'relaxed',
  });
  return store;
}

const bases = (base: Base | undefined) => ({ get: async () => base });

test('two devices that have grown a session to the same row are compared', async () => {
  const [local, remote] = [await storeWith('From Ann'), await storeWith('From Bob')];
  expect(await compareLists(local, remote, bases({ seq: 1 }), () => 'new')).toEqual({ changed: ['a'], added: [] });
  expect(await compareLists(local, remote, bases(undefined), () => 'new')).toEqual({ changed: ['a'], added: [] });
});

test('a session that nobody has changed since is not compared', async () => {
  const store = await storeWith('Hi');
  expect(await compareLists(store, store, bases({ seq: 2 }), () => 'new')).toEqual({ changed: [], added: [] });
  expect(await compareLists(store, createMemoryStore(), bases({ seq: 2 }), () => 'new')).toEqual({
    changed: ['a'],
    added: [],
  });
});

test('a session whose fork was begun is compared, until that is noted', async () => {
  const store = await storeWith('Hi');
  const begun = { seq: 2, forking: { id: 'fork', first: '{}' } };
  expect(await compareLists(store, store, bases(begun), () => 'new')).toEqual({ changed: ['a'], added: [] });
});

test('a session that is not here is added by its row, once', async () => {
  const [local, remote] = [createMemoryStore(), await storeWith('Hi')];
  expect(await compareLists(local, remote, bases(undefined), () => 'new')).toEqual({ changed: [], added: ['a'] });
  const origin = { writeId: (await local.read('a'))?.writeId, kind: 'row' };
  expect((await local.list()).sessions).toEqual([{ ...(await remote.list()).sessions[0], seq: 1, origin }]);
  expect(await compareLists(local, remote, bases(undefined), () => 'new')).toEqual({ changed: [], added: ['a'] });
});

test('a row that does not fit, that has no message, or that was removed here is not taken over', async () => {
  const remote = await storeWith('Hi');
  const [row = expect.unreachable()] = (await remote.list()).sessions;
  const listing = (changes: object): SessionStore => ({
    ...remote,
    list: async () => ({ sessions: [{ ...row, ...changes }] }),
  });
  for (const changes of [{ messageCount: 0 }, { updatedAt: 'now' }, { title: 1 }, { status: 'asleep' }]) {
    const local = createMemoryStore();
    const lists = await compareLists(local, listing(changes), bases(undefined), () => 'new');
    expect([lists, (await local.list()).sessions]).toEqual([{ changed: ['a'], added: [] }, []]);
  }
  const local = await storeWith('Hi');
  await local.remove('a');
  expect(await compareLists(local, remote, bases(undefined), () => 'new')).toEqual({ changed: ['a'], added: [] });
});

test.each([{ seq: 3 }, { updatedAt: 3 }, { title: 'Ho' }, { status: 'waiting' }] as const)(
  'a session whose row differs there by %j is compared',
  async (changes) => {
    const [local, remote] = [await storeWith('Hi'), await storeWith('Hi')];
    const [row = expect.unreachable()] = (await remote.list()).sessions;
    const other: SessionStore = { ...remote, list: async () => ({ sessions: [{ ...row, ...changes }] }) };
    expect(await compareLists(local, other, bases({ seq: 2 }), () => 'new')).toEqual({ changed: ['a'], added: [] });
  },
);

test('a row is not taken over where the store does not know what was removed', async () => {
  const { wasRemoved: _wasRemoved, ...local } = createMemoryStore();
  const lists = await compareLists(local, await storeWith('Hi'), bases(undefined), () => 'new');
  expect([lists, (await local.list()).sessions]).toEqual([{ changed: ['a'], added: [] }, []]);
});
