import { forceCloseDatabase } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { type AgentError, type AgentSession, createAgent, extractTextContent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createManualClient, say } from '../../support/manual-client.ts';
import { until } from '../../support/until.ts';

let name: string;
const warnings: AgentError[] = [];
const closers: (() => void)[] = [];

function createStore(): ReturnType<typeof createIndexedDBStore> {
  const store = createIndexedDBStore({ name, onWarning: (warning) => warnings.push(warning) });
  closers.push(() => store.close());
  return store;
}

beforeEach(() => {
  name = `eviction-${crypto.randomUUID()}`;
  warnings.length = 0;
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0)) close();
  await deleteDB(name);
});

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));

describe('an open session whose database the browser has erased', () => {
  test('stays open with a warning, and is stored again with the next message', async () => {
    const store = createStore();
    const agent = createAgent({ client: createScriptedClient([[reply.text('One.')], [reply.text('Two.')]]), store });
    const session = await agent.openSession(agent.createSession());
    await session.send('First');
    session.rename('Kept');
    await session.flushed();
    await deleteDB(name);
    expect(warnings).toMatchObject([{ code: 'STORAGE_FAILED' }]);
    expect((await session.send('Second')).outcome).toBe('completed');
    await until(() => expect(session.getStorage()).toEqual({ state: 'saved' }));
    const shown = ['First', 'One.', 'Second', 'Two.'];
    expect(texts(session)).toEqual(shown);
    const later = await createAgent({ client: createScriptedClient([]), store: createStore() }).openSession(session.id);
    expect(texts(later)).toEqual(shown);
    expect([later.getState().title, later.getState().createdAt]).toEqual(['Kept', session.getState().createdAt]);
  });

  test('is stored again where its run was interrupted, and can continue', async () => {
    const store = createStore();
    const client = createManualClient();
    const agent = createAgent({ client, store });
    const session = await agent.openSession(agent.createSession());
    const sent = session.send('First');
    await session.flushed();
    await until(() => client.last());
    client.last().chunks.next({ type: 'text', text: 'Half' });
    await session.flushed();
    await deleteDB(name);
    client.last().chunks.next({ type: 'text', text: ' an answer' });
    await session.flushed().catch(() => {});
    await sent;
    await until(() => expect(session.getStorage()).toEqual({ state: 'saved' }));
    expect(texts(session)).toEqual(['First', 'Half an answer']);
    const again = session.send('Go on');
    await until(() => expect(client.asked).toHaveLength(2));
    say(client.last(), 'done');
    expect((await again).outcome).toBe('completed');
    await session.flushed();
    const stored = await store.read(session.id);
    expect(stored?.summary).toMatchObject({ messageCount: 4, seq: session.getState().seq });
  });

  test('is not stored again where it was removed on purpose', async () => {
    const [store, other] = [createStore(), createStore()];
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(agent.createSession());
    await session.flushed();
    await other.remove(session.id);
    await until(() => expect(agent.getSession(session.id)).toBeUndefined());
    expect((await store.list()).sessions).toEqual([]);
  });

  test('is continued where only the connection was lost', async () => {
    const databases: IDBDatabase[] = [];
    const open = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
      const request = open(...args);
      request.addEventListener('success', () => databases.push(request.result));
      return request;
    });
    const store = createStore();
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(agent.createSession());
    await session.flushed();
    for (const database of databases) Reflect.apply(forceCloseDatabase, undefined, [database]);
    session.addMessage({ role: 'user', content: 'x' });
    await session.flushed();
    const events = (await store.read(session.id))?.events.map(({ type }) => type);
    expect(events).toEqual(['session.started', 'message.added']);
  });
});

test('a session reports the state memory where the browser opens no database', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  const agent = createAgent({ client: createScriptedClient([[reply.text('Hi')]]), store: createStore() });
  const session = await agent.openSession(agent.createSession());
  const states: string[] = [];
  session.storage$.subscribe(({ state }) => states.push(state));
  await session.send('Hello');
  await session.flushed();
  await until(() => expect(session.getStorage()).toEqual({ state: 'memory' }));
  session.addMessage({ role: 'user', content: 'more' });
  await session.flushed();
  expect(states.slice(states.indexOf('memory'))).toEqual(['memory']);
  expect(warnings).toMatchObject([{ code: 'STORAGE_UNAVAILABLE' }]);
});
