import 'fake-indexeddb/auto';
import { createAgent, type AgentSession } from 'brooklet';
import { createAesCodec } from 'brooklet/encryption';
import { createVault } from 'brooklet/keys';
import { createRemote, createSyncedStore } from 'brooklet/sync';
import { createIndexedDBStore, createMemoryStore, eraseEverything, type IndexedDBStoreOptions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { createNotesStore } from 'brooklet/tools';
import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { until } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';

const passphrase = 'correct horse battery';
const namesOf = async (): Promise<readonly string[]> =>
  (await indexedDB.databases()).map(({ name = '' }) => name).toSorted();

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of await namesOf()) await deleteDB(name);
});

/** The rows of all databases. A page that is open opens its databases again, without rows. */
async function rowsOf(names: readonly string[]): Promise<number> {
  let rows = 0;
  for (const name of names) {
    const db = await openDB(name);
    for (const table of db.objectStoreNames) rows += await db.count(table);
    db.close();
  }
  return rows;
}

/** An agent as a tab of its own has it: its stores share nothing but the database and the channels. */
function openTab(options: IndexedDBStoreOptions = {}) {
  const store = createIndexedDBStore(options);
  const client = createScriptedClient(() => [reply.text('Yes.')]);
  closers.push(() => store.close());
  return { store, agent: createAgent({ client, store }) };
}

async function talk({ agent }: Pick<ReturnType<typeof openTab>, 'agent'>, text = 'Hi'): Promise<AgentSession> {
  const session = await agent.openSession(agent.createSession());
  await session.send(text);
  await session.flushed();
  return session;
}

describe('erases', () => {
  test('sessions, keys, notes and what they need, and nothing of the page', async () => {
    const { store, agent } = openTab();
    await talk({ agent });
    const removed = await talk({ agent }, 'Soon removed');
    await store.remove(removed.id);
    await talk(openTab({ name: 'my-app' }));
    const vault = createVault();
    closers.push(() => vault.dispose());
    await vault.add('a', 'sk-canary-0123456789', { baseURL: 'https://api.example.com' });
    await vault.protect(passphrase);
    await createNotesStore().add('milk');
    await createNotesStore({ name: 'my-notes' }).add('bread');
    const page = await openDB('page', 3, { upgrade: (db) => void db.createObjectStore('notes') });
    closers.push(() => page.close());
    await page.put('notes', 'mine', 1);

    const report = await eraseEverything({ databases: ['my-notes'] });
    expect(report).toEqual({
      databases: expect.arrayContaining(['brooklet', 'brooklet-keys', 'brooklet-notes', 'my-app', 'my-notes']),
      workspaces: [],
      entries: [],
      sessions: 3,
      left: [],
    });
    expect(report.databases).toHaveLength(5);
    expect(await rowsOf(report.databases)).toBe(0);
    expect(await page.get('notes', 1)).toBe('mine');
    expect(vault.getState()).toMatchObject({ keys: [] });
  });

  test('encrypted sessions without their key', async () => {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'HKDF', false, ['deriveKey']);
    await talk(openTab({ codec: createAesCodec(key) }));
    expect(await eraseEverything()).toMatchObject({ databases: ['brooklet'], sessions: 1, left: [] });
    expect(await rowsOf(['brooklet'])).toBe(0);
  });

  test('the notes of a sign-in and of a run, and no other entry', async () => {
    const entries = new Map([
      ['brooklet:run:s1', 'r1'],
      ['brooklet-mcp/client/https://a.example', '{}'],
      ['brooklet-studio/theme', 'dark'],
      ['theirs', '1'],
    ]);
    const storage = { removeItem: (key: string) => void (entries.delete(key), Reflect.deleteProperty(storage, key)) };
    Object.assign(storage, Object.fromEntries(entries));
    vi.stubGlobal('localStorage', storage);
    const { entries: erased } = await eraseEverything();
    expect(erased).toEqual(['brooklet:run:s1', 'brooklet-mcp/client/https://a.example']);
    expect([...entries.keys()]).toEqual(['brooklet-studio/theme', 'theirs']);
  });

  test('what it can where the page may use no entries', async () => {
    await talk(openTab());
    const storage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
    try {
      expect(await eraseEverything()).toMatchObject({ databases: ['brooklet'], entries: [], left: [] });
    } finally {
      Reflect.deleteProperty(globalThis, 'localStorage');
      if (storage) Object.defineProperty(globalThis, 'localStorage', storage);
    }
  });

  test('an entry, a folder and a database that cannot be erased are left, and the rest is erased', async () => {
    await talk(openTab());
    const removeItem = (): never => {
      throw new DOMException('Denied.', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { 'brooklet:run:s1': 'r1', removeItem });
    const removeEntry = async (): Promise<void> => {
      throw new DOMException('A file is open.', 'NoModificationAllowedError');
    };
    vi.stubGlobal('navigator', { storage: { getDirectory: async () => ({ removeEntry }) } });
    (await openDB('damaged', 1)).close();
    const open = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, 'open').mockImplementation((name, version) => {
      if (name === 'damaged') throw new DOMException('The database is damaged.', 'UnknownError');
      return open(name, version);
    });
    const { left, databases } = await eraseEverything({ databases: ['damaged'] });
    vi.restoreAllMocks();
    expect(databases).toEqual(['brooklet']);
    expect(left.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'database damaged',
      'workspace brooklet-workspace',
      'entry brooklet:run:s1',
    ]);
    for (const { error } of left) expect(error.type).toBe('STORAGE');
  });

  test('the usual databases and those it is given, where the browser lists none', async () => {
    await talk(openTab());
    await talk(openTab({ name: 'my-app' }));
    await talk(openTab({ name: 'unknown-app' }));
    vi.stubGlobal('indexedDB', Object.create(indexedDB, { databases: { value: undefined } }));
    const { databases, left } = await eraseEverything({ databases: ['my-app'] });
    vi.unstubAllGlobals();
    expect([databases, left]).toEqual([['brooklet', 'my-app'], []]);
    expect(await namesOf()).toContain('unknown-app');
  });

  test('folders of workspaces', async () => {
    const folders = new Set(['brooklet-workspace', 'mine', 'theirs']);
    const removeEntry = async (name: string): Promise<void> => {
      if (!folders.delete(name)) throw new DOMException('', 'NotFoundError');
    };
    vi.stubGlobal('navigator', { storage: { getDirectory: async () => ({ removeEntry }) } });
    expect(await eraseEverything({ workspaces: ['mine', 'gone'] })).toMatchObject({
      workspaces: ['brooklet-workspace', 'mine'],
      left: [],
    });
    expect([...folders]).toEqual(['theirs']);
  });

  test('no folder where the page may have none, as in a private window of Firefox', async () => {
    const getDirectory = async (): Promise<never> => {
      throw new DOMException('Security error when calling GetDirectory', 'SecurityError');
    };
    vi.stubGlobal('navigator', { storage: { getDirectory } });
    expect(await eraseEverything({ workspaces: ['mine'] })).toMatchObject({ workspaces: [], left: [] });
  });

  test('without opening what does not exist, also what WebKit lists after an aborted upgrade', async () => {
    await talk(openTab());
    const list = indexedDB.databases.bind(indexedDB);
    const listed = async (): Promise<IDBDatabaseInfo[]> => [...(await list()), { name: 'brooklet-keys', version: 0 }];
    vi.spyOn(indexedDB, 'databases').mockImplementation(listed);
    const open = vi.spyOn(indexedDB, 'open');
    const { databases, left } = await eraseEverything({ databases: ['mine'] });
    expect([databases, left]).toEqual([['brooklet'], []]);
    expect(new Set(open.mock.calls.map(([name]) => name))).toEqual(new Set(['brooklet']));
    vi.restoreAllMocks();
  });

  test('nothing where nothing is stored, and makes no database', async () => {
    vi.spyOn(indexedDB, 'databases').mockRejectedValueOnce(new DOMException('', 'SecurityError'));
    expect(await eraseEverything({ databases: ['other'] })).toEqual({
      databases: [],
      workspaces: [],
      entries: [],
      sessions: 0,
      left: [],
    });
    expect(await namesOf()).toEqual([]);
  });
});

describe('in other tabs', () => {
  test('a session that is open ends, and is not stored again', async () => {
    const one = openTab();
    const other = openTab();
    const { id } = await talk(one);
    const elsewhere = await other.agent.openSession(id);
    let isEnded = false;
    elsewhere.events$.subscribe({ complete: () => (isEnded = true) });
    expect(elsewhere.getMessages()).toHaveLength(2);

    await eraseEverything();
    await expect.poll(() => isEnded).toBe(true);
    expect((await other.store.list()).sessions).toEqual([]);
    await expect(other.agent.openSession(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    // What begins afterwards is stored as ever, and goes on.
    const next = await talk(other, 'Again');
    await next.send('And again');
    await next.flushed();
    expect((await one.store.read(next.id))?.summary.messageCount).toBe(4);
    expect(await one.store.read(id)).toBeUndefined();
  });

  test('a run is cancelled, and what it had begun is not stored', async () => {
    const store = createIndexedDBStore();
    closers.push(() => store.close());
    const client = createScriptedClient(() => [reply.text('word '.repeat(1_000), { size: 5, ms: 1 })]);
    const agent = createAgent({ client, store });
    const session = await agent.openSession(agent.createSession());
    const running = session.send('Go on.').catch((error: unknown) => error);
    await expect.poll(async () => (await store.read(session.id))?.events.length ?? 0).toBeGreaterThan(3);
    expect(await eraseEverything()).toMatchObject({ left: [] });
    await running;
    expect((await store.list()).sessions).toEqual([]);
    expect(await store.read(session.id)).toBeUndefined();
  });

  test('a vault has no keys any more, not even those that were in memory only', async () => {
    const vaults = [createVault(), createVault()] as const;
    closers.push(...vaults.map((vault) => () => vault.dispose()));
    for (const vault of vaults) await vault.add('a', 'sk-canary-0123456789', { baseURL: 'https://api.example.com' });
    await vaults[0].forget();
    await expect.poll(() => vaults.map((vault) => vault.getState().keys.length)).toEqual([0, 0]);
  });

  test('a tab that does not let go of a database is named, and a second call erases the rest', async () => {
    await talk(openTab());
    const stubborn = await openDB('brooklet');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const erasing = eraseEverything();
    await until(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(6_000);
    const { databases, left } = await erasing;
    expect([databases, left]).toEqual([
      [],
      [{ type: 'database', name: 'brooklet', error: expect.objectContaining({ code: 'STORAGE_BLOCKED' }) }],
    ]);
    vi.useRealTimers();
    stubborn.close();
    expect((await eraseEverything()).left).toEqual([]);
    expect(await rowsOf(['brooklet'])).toBe(0);
  });
});

test('a replica removes nothing on its other devices', async () => {
  const remote = createMemoryStore();
  const local = createIndexedDBStore();
  const replica = createSyncedStore({ local, remote: createRemote(remote), device: 'laptop' });
  closers.push(() => replica.close());
  const agent = createAgent({ client: createScriptedClient(() => [reply.text('Yes.')]), store: replica });
  const session = await talk({ agent });
  await expect.poll(async () => (await remote.list()).sessions.length).toBe(1);
  await eraseEverything();
  await replica.sync();
  expect((await remote.list()).sessions.map(({ id }) => id)).toEqual([session.id]);
});

test('an option that does not exist is refused', async () => {
  await expect(async () => eraseEverything(untyped({ database: [] }))).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
  });
});
