import { createAgent } from 'brooklet';
import { createIndexedDBStore, eraseEverything } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { createChanges } from '../../src/storage/changes.ts';
import { until } from '../support/until.ts';

test('an erasure in another tab removes what a page without a database has in memory, on every page of the list', async () => {
  const name = `memory-${crypto.randomUUID()}`;
  const store = createIndexedDBStore({ name, onWarning: () => {} });
  const agent = createAgent({ client: createScriptedClient(() => [reply.text('Yes.')]), store });
  // More than one page of the list.
  const ids = Array.from({ length: 120 }, () => agent.createSession());
  for (const id of ids) await agent.getSession(id)?.flushed();
  const open = await agent.openSession(agent.createSession());
  await open.send('Hi');
  await open.flushed();
  expect(store.isPersistent?.()).toBe(false);
  const { cursor } = await store.list();
  expect(cursor).toBeDefined();

  const other = createChanges(name);
  other.announceErasure();
  await until(async () => expect((await store.list()).sessions).toEqual([]));
  await until(() => expect(agent.getSession(open.id)).toBeUndefined());
  expect(store.wasErased?.(ids[0] ?? '')).toBe(true);
  // What begins after the erasure is kept.
  const later = await agent.openSession(agent.createSession());
  await later.flushed();
  expect([store.wasErased?.(later.id), (await store.list()).sessions.map(({ id }) => id)]).toEqual([false, [later.id]]);
  other.close();
  await agent.dispose();
  store.close();
});

test('a page without a database has nothing to erase', async () => {
  expect(typeof indexedDB).toBe('undefined');
  expect(await eraseEverything()).toEqual({ databases: [], workspaces: [], entries: [], sessions: 0, left: [] });
});
