import { createMemoryStore } from 'brooklet/storage';
import type { SessionStore } from 'brooklet/core';
import { expect, test } from 'vitest';
import type { Base } from '../../src/replica/base.ts';
import { changedRows } from '../../src/replica/changed-rows.ts';

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
  expect(await changedRows(local, remote, bases({ seq: 1 }))).toEqual(['a']);
  expect(await changedRows(local, remote, bases(undefined))).toEqual(['a']);
});

test('a session that nobody has changed since is not compared', async () => {
  const store = await storeWith('Hi');
  expect(await changedRows(store, store, bases({ seq: 2 }))).toEqual([]);
  expect(await changedRows(store, createMemoryStore(), bases({ seq: 2 }))).toEqual(['a']);
});
