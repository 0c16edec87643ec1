import 'fake-indexeddb/auto';
import { AgentError, createAgent, type SessionStore } from 'brooklet';
import { createAnnotations } from 'brooklet/review';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settled } from '../../support/manual-client.ts';
import { createBrowser } from '../../support/tabs.ts';
import { openRaw, writeOf } from '../raw.ts';

let name: string;
const closers: (() => void)[] = [];

function createStore(undoWindow?: number): SessionStore {
  const store = createIndexedDBStore({ name, ...(undoWindow !== undefined && { undoWindow }) });
  closers.push(() => store.close());
  return store;
}

beforeEach(() => {
  name = `removal-${crypto.randomUUID()}`;
});

afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await deleteDB(name);
});

async function countOf(table: string): Promise<number> {
  const db = await openRaw(name);
  const request = db.transaction(table).objectStore(table).count();
  const count = await new Promise<number>((resolve) =>
    request.addEventListener('success', () => resolve(request.result)),
  );
  db.close();
  return count;
}

describe('a removed session', () => {
  test('is erased at once where the undo window is 0', async () => {
    const store = createStore(0);
    await store.write(writeOf('a', 0, 1, 2));
    await store.list({ search: 'x' });
    await store.remove('a');
    expect([await countOf('events'), await countOf('texts')]).toEqual([0, 0]);
    expect([await store.restore?.('a'), await store.wasRemoved?.('a')]).toEqual([false, true]);
  });

  test('keeps its annotations until it is erased', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    await createAnnotations({ store, sessionId: 'a' }).add({ seq: 1, text: 'Here.' });
    await store.remove('a');
    await store.restore?.('a');
    expect(await createAnnotations({ store, sessionId: 'a' }).load()).toMatchObject([{ text: 'Here.' }]);
    await createStore(0).remove('a');
    expect(await countOf('meta')).toBe(0);
  });

  test('is erased by the next removal after its undo window', async () => {
    await createStore().write(writeOf('a', 0, 1, 2));
    await createStore().write(writeOf('b', 0, 1));
    await createStore().remove('a');
    expect(await countOf('events')).toBe(3);
    await createStore(0).remove('b');
    expect(await countOf('events')).toBe(0);
  });

  test('is erased by the next list after its undo window', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    await store.remove('a');
    await createStore().list();
    expect(await store.restore?.('a')).toBe(true);
    await store.remove('a');
    const later = createStore(0);
    await later.list();
    // Waits in the database for the purge that the list has started.
    expect(await later.read('a')).toBeUndefined();
    await expect.poll(() => countOf('events')).toBe(0);
    expect(await store.restore?.('a')).toBe(false);
  });

  test('is no longer found by searches', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    expect((await store.list({ search: 'a' })).sessions).toHaveLength(1);
    expect(await countOf('texts')).toBe(1);
    await store.remove('a');
    expect(await countOf('texts')).toBe(0);
  });
});

describe('an agent', () => {
  test('restores a removed session', async () => {
    const agent = createAgent({ client: createScriptedClient([]), store: createMemoryStore() });
    const id = agent.createSession();
    agent.getSession(id)?.addMessage({ role: 'user', content: 'Keep me' });
    await agent.getSession(id)?.flushed();
    expect(agent.removeSession(id)).toBe(true);
    expect(await agent.restoreSession(id)).toBe(true);
    expect((await agent.openSession(id)).getMessages()).toMatchObject([{ content: [{ text: 'Keep me' }] }]);
    expect(await agent.restoreSession(id)).toBe(false);
  });

  test('restores a session that another tab removed, and a third tab sees both', async () => {
    const browser = createBrowser();
    const tabs = [1, 2, 3].map(() => browser.open({ client: createScriptedClient([]) }).agent);
    const [one, two, three] = tabs;
    const id = one?.createSession() ?? '';
    await settled();
    const opened = await three?.openSession(id);
    one?.removeSession(id);
    await settled();
    expect(() => opened?.rename('x')).toThrow(expect.objectContaining({ code: 'SESSION_REMOVED' }));
    expect(three?.getSession(id)).toBeUndefined();
    expect(await two?.restoreSession(id)).toBe(true);
    expect((await three?.openSession(id))?.id).toBe(id);
  });

  test('reports that the store failed to remove a session, which still exists', async () => {
    const memory = createMemoryStore();
    const full = new AgentError('no', { code: 'STORAGE_FAILED' });
    const agent = createAgent({
      client: createScriptedClient([]),
      store: { ...memory, remove: () => Promise.reject(full) },
    });
    const id = agent.createSession();
    await agent.getSession(id)?.flushed();
    expect(agent.removeSession(id)).toBe(true);
    await expect(agent.removed(id)).rejects.toBe(full);
    expect((await agent.openSession(id)).id).toBe(id);
    await expect(agent.removed('another')).resolves.toBeUndefined();
  });
});
