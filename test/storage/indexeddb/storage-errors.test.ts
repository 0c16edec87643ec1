import { forceCloseDatabase } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { type AgentError, createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { schemaVersion } from '../../../src/storage/indexeddb/schema.ts';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';
import { until } from '../../support/until.ts';

let name: string;
const troubles: AgentError[] = [];

function createStore(): ReturnType<typeof createIndexedDBStore> {
  const store = createIndexedDBStore({ name, onWarning: (trouble) => troubles.push(trouble) });
  closers.push(() => store.close());
  return store;
}
const closers: (() => void)[] = [];

beforeEach(() => {
  name = `trouble-${crypto.randomUUID()}`;
  troubles.length = 0;
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
  await deleteDB(name);
});

/** What a promise is rejected with. */
const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((thrown: unknown) => thrown);

/** Lets the nth open of a database (from 1) go another way. */
function onOpen(behave: (nth: number, open: () => IDBOpenDBRequest) => IDBOpenDBRequest): {
  readonly count: () => number;
} {
  const real = indexedDB.open.bind(indexedDB);
  const spy = vi.spyOn(indexedDB, 'open');
  spy.mockImplementation((database, version) => behave(spy.mock.calls.length, () => real(database, version)));
  return { count: () => spy.mock.calls.length };
}

/** The browser's own database object behind the last open. */
function lastOpened(): { readonly get: () => IDBDatabase } {
  const requests: IDBOpenDBRequest[] = [];
  onOpen((_nth, open) => {
    const request = open();
    requests.push(request);
    return request;
  });
  return {
    get() {
      const db = requests.at(-1)?.result;
      if (db === undefined) throw new Error('Nothing was opened.');
      return db;
    },
  };
}

/** An open that does not answer by itself: it answers as another one, or fails. */
function openWithoutAnswer(): {
  readonly request: IDBOpenDBRequest;
  readonly answerAs: (real: IDBOpenDBRequest) => void;
  readonly fail: (error: DOMException) => void;
} {
  const request = new IDBOpenDBRequest();
  const listeners: [type: string, listener: (event?: Event) => void][] = [];
  const set = (key: string, value: unknown): unknown =>
    Object.defineProperty(request, key, { value, configurable: true });
  const emit = (type: string, event?: Event): void => {
    for (const [its, listener] of listeners) if (its === type) listener(event);
  };
  set('addEventListener', (type: string, listener: (event?: Event) => void) => listeners.push([type, listener]));
  return {
    request,
    answerAs(real) {
      for (const type of ['upgradeneeded', 'success']) {
        real.addEventListener(type, (event) => {
          set('result', real.result);
          set('transaction', real.transaction);
          emit(type, event);
        });
      }
    },
    fail(error) {
      set('error', error);
      emit('error');
    },
  };
}

function failingOpen(error: DOMException): IDBOpenDBRequest {
  const { request, fail } = openWithoutAnswer();
  queueMicrotask(() => fail(error));
  return request;
}

describe('opening', () => {
  test('opens the database when it is first needed, and once', async () => {
    const opens = onOpen((_nth, open) => open());
    const store = createStore();
    expect(opens.count()).toBe(0);
    await Promise.all([store.list(), store.read('a'), store.write(writeOf('a', 0, 1))]);
    await store.list();
    expect(opens.count()).toBe(1);
  });

  test('tries three times when the browser cannot open its own files', async () => {
    const opens = onOpen((nth, open) =>
      nth < 3
        ? failingOpen(new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'))
        : open(),
    );
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    expect(opens.count()).toBe(3);
    expect([troubles, store.isPersistent?.()]).toEqual([[], true]);
  });

  test('tries again when the browser breaks an upgrade off, and leaves no failure unheard', async () => {
    const create = IDBDatabase.prototype.createObjectStore;
    vi.spyOn(IDBDatabase.prototype, 'createObjectStore').mockImplementationOnce(function (this: IDBDatabase, ...args) {
      const table = create.apply(this, args);
      queueMicrotask(() => table.transaction.abort());
      return table;
    });
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    expect((await store.read('a'))?.summary.seq).toBe(1);
    expect(troubles).toEqual([]);
  });

  test('closes a database that opens after the store was closed', async () => {
    const opened = lastOpened();
    const store = createStore();
    const outcome = caught(store.list());
    store.close();
    expect(await outcome).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await until(() => expect(() => opened.get().transaction('sessions')).toThrow(DOMException));
  });
});

describe('memory stands in for the database', () => {
  const internal = () =>
    failingOpen(new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'));
  const denied = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };

  test.each([
    ['the page has no IndexedDB', () => vi.stubGlobal('indexedDB', undefined)],
    ['the browser forbids storage', () => onOpen(denied)],
    ['the browser says that in an event', () => onOpen(() => failingOpen(new DOMException('', 'SecurityError')))],
    ['the browser cannot open its own files', () => onOpen(internal)],
  ])('where %s: every verb works, and the page is told once', async (_why, spoil) => {
    spoil();
    const store = createStore();
    const heard: string[] = [];
    store.changes$.subscribe((id) => heard.push(id));
    await Promise.all([store.list(), store.read('a'), store.write(writeOf('a', 0, 1))]);
    await store.write(writeOf('a', 1, 2));
    await store.write(writeOf('b', 0, 1));
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await store.remove('b')).toBe(true);
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(['a']);
    expect(heard).toEqual(['a', 'a', 'b', 'b']);
    expect(store.isPersistent?.()).toBe(false);
    expect(troubles).toMatchObject([
      { type: 'STORAGE', code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining('only as long as this page') },
    ]);
    vi.unstubAllGlobals();
  });

  test('asks the browser three times at most, however often it is used', async () => {
    const opens = onOpen(internal);
    const store = createStore();
    for (let call = 0; call < 5; call++) await store.list();
    expect(opens.count()).toBe(3);
  });

  test('after 5 s without an answer; a database that comes later is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { request, answerAs } = openWithoutAnswer();
    const late: IDBOpenDBRequest[] = [];
    onOpen((_nth, open) => {
      late.push(open());
      return request;
    });
    const store = createStore();
    const written = store.write(writeOf('a', 0, 1));
    await vi.advanceTimersByTimeAsync(5000);
    await written;
    expect(troubles.map(({ code }) => code)).toEqual(['STORAGE_UNAVAILABLE']);
    vi.useRealTimers();
    for (const open of late) answerAs(open);
    await until(() => expect(() => late[0]?.result.transaction('sessions')).toThrow(DOMException));
    expect((await store.list()).sessions).toHaveLength(1);
  });

  test('later where an upgrade has begun, which may take long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const request = new IDBOpenDBRequest();
    onOpen(() => request);
    const listed = createStore().list();
    await until(() => expect(indexedDB.open).toHaveBeenCalled());
    request.dispatchEvent(new IDBVersionChangeEvent('upgradeneeded'));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(troubles).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await listed).sessions).toEqual([]);
    expect(troubles.map(({ code }) => code)).toEqual(['STORAGE_UNAVAILABLE']);
  });

  test('not where it has been open: what the page shows comes from there', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    opened.get().close();
    vi.mocked(indexedDB.open).mockImplementation(internal);
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect([troubles, store.isPersistent?.()]).toEqual([[], true]);
    vi.mocked(indexedDB.open).mockRestore();
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.summary.seq).toBe(2);
  });

  test('not for a store that has been closed', async () => {
    onOpen(denied);
    const store = createStore();
    await store.list();
    store.close();
    await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('and a conversation goes on', async () => {
    onOpen(denied);
    const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]), store: createStore() });
    const session = await agent.openSession(agent.createSession());
    expect((await session.send('Hi')).outcome).toBe('completed');
    await session.flushed();
    expect((await agent.store?.list())?.sessions).toMatchObject([{ id: session.id, title: 'Hi', messageCount: 2 }]);
  });
});

describe('other versions', () => {
  test('leaves the data of a newer version alone', async () => {
    const newer = await openRaw(name, 99);
    newer.close();
    const store = createStore();
    const outcome = store.write(writeOf('a', 0, 1));
    await expect(outcome).rejects.toMatchObject({ code: 'STORAGE_BLOCKED', retryable: false });
    const after = await openRaw(name);
    expect([after.version, [...after.objectStoreNames]]).toEqual([99, []]);
    after.close();
  });

  test('makes way for a newer version, says so, and asks for a reload from then on', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    const newer = await openRaw(name, schemaVersion + 1);
    expect(troubles.map(({ code }) => code)).toEqual(['STORAGE_BLOCKED']);
    for (const outcome of [store.list(), store.write(writeOf('a', 1, 2))]) {
      await expect(outcome).rejects.toMatchObject({
        code: 'STORAGE_BLOCKED',
        message: expect.stringContaining('Reload'),
      });
    }
    newer.close();
  });

  test('lets a last write through when it makes way', async () => {
    let last: Promise<void> | undefined;
    const store = createIndexedDBStore({
      name,
      onWarning() {
        last = store.write(writeOf('a', 1, 2));
      },
    });
    await store.write(writeOf('a', 0, 1));
    const newer = await openRaw(name, schemaVersion + 1);
    await last;
    const keys = newer.transaction('events').objectStore('events').getAllKeys();
    await until(() =>
      expect(keys.result).toEqual([
        ['a', 1],
        ['a', 2],
      ]),
    );
    newer.close();
    store.close();
  });

  test('opens anew after somebody deleted the database', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    await deleteDB(name);
    expect(await store.list()).toEqual({ sessions: [] });
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    await store.write(writeOf('a', 0, 1));
    expect(troubles).toMatchObject([
      { code: 'STORAGE_FAILED', message: expect.stringContaining('site data were cleared') },
    ]);
  });

  test('waits for an older version in another tab, and tells the page what it waits for', async () => {
    const older = createStore();
    await older.write(writeOf('a', 0, 1));
    older.close();
    const otherTab = await openRaw(name);
    onOpen(() => {
      vi.mocked(indexedDB.open).mockRestore();
      return indexedDB.open(name, schemaVersion + 1);
    });
    const list = createStore().list();
    await until(() => expect(troubles.map(({ code }) => code)).toEqual(['STORAGE_BLOCKED']));
    otherTab.close();
    expect((await list).sessions).toHaveLength(1);
  });

  test('says who blocks when waiting takes too long, and works once the way is free', async () => {
    const older = createStore();
    await older.write(writeOf('a', 0, 1));
    older.close();
    const otherTab = await openRaw(name);
    onOpen(() => {
      vi.mocked(indexedDB.open).mockRestore();
      return indexedDB.open(name, schemaVersion + 1);
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const store = createStore();
    const outcome = caught(store.list());
    await until(() => expect(troubles).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await outcome).toMatchObject({ code: 'STORAGE_BLOCKED', retryable: true });
    vi.useRealTimers();
    otherTab.close();
    await until(async () => expect((await store.list()).sessions).toHaveLength(1));
  });

  test('does not care whether the page throws when it is told', async () => {
    const store = createIndexedDBStore({
      name,
      onWarning() {
        throw new Error('thrown by the page');
      },
    });
    await store.list();
    (await openRaw(name, schemaVersion + 1)).close();
    await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_BLOCKED' });
    store.close();
  });
});

describe('a lost connection', () => {
  test('is opened anew after the browser closed it, and the page is told', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    // Its types ask for the class.
    Reflect.apply(forceCloseDatabase, undefined, [opened.get()]);
    await until(() => expect(troubles.map(({ code }) => code)).toEqual(['STORAGE_FAILED']));
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.events).toHaveLength(2);
  });

  test('is opened anew, once, when it turns out to be closed', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    opened.get().close();
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.events).toHaveLength(2);
    expect(indexedDB.open).toHaveBeenCalledTimes(2);
  });

  test('is given up when it is lost at once, again and again', async () => {
    const store = createStore();
    await store.list();
    const opens = onOpen((_nth, open) => open());
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('closing', 'InvalidStateError');
    });
    await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_FAILED', retryable: true });
    expect(opens.count()).toBe(2);
  });

  test.each(['list', 'read'] as const)(
    'repeats a %s whose transaction died with it, and leaves no failure unheard',
    async (verb) => {
      const store = createStore();
      await store.write(writeOf('a', 0, 1));
      const begin = IDBDatabase.prototype.transaction;
      vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (this: IDBDatabase, ...args) {
        const transaction = begin.apply(this, args);
        queueMicrotask(() => transaction.abort());
        return transaction;
      });
      expect(verb === 'list' ? (await store.list()).sessions[0]?.seq : (await store.read('a'))?.summary.seq).toBe(1);
    },
  );

  test('repeats a write whose transaction died with it, once', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      this.abort();
    });
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe('a transaction that does not end', () => {
  /** Holds back the word that the next transaction is through from who began it, until it is let. */
  function holdNext(): { readonly end: () => void } {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    const begin = IDBDatabase.prototype.transaction;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (this: IDBDatabase, ...args) {
      const transaction = begin.apply(this, args);
      const listen = transaction.addEventListener.bind(transaction);
      vi.spyOn(transaction, 'addEventListener').mockImplementation((type: string, listener: unknown) => {
        // The browser that is played here listens as well, later.
        const isOurs = type === 'complete' && !isHeld;
        if (isOurs) isHeld = true;
        const tell = (): unknown => typeof listener === 'function' && Reflect.apply(listener, undefined, []);
        Reflect.apply(listen, undefined, [type, isOurs ? () => void released.then(tell) : listener]);
      });
      return transaction;
    });
    return { end: release };
  }

  test('is told of once, after a time that can be set, and is waited for all the same', async () => {
    const store = createIndexedDBStore({ name, slowAfter: 1_000, onWarning: (trouble) => troubles.push(trouble) });
    closers.push(() => store.close());
    await store.write(writeOf('a', 0, 1));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const held = holdNext();
    const settled = vi.fn();
    const written = store.write(writeOf('a', 1, 2)).then(settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(troubles).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(troubles).toMatchObject([{ code: 'STORAGE_FAILED', message: expect.stringContaining('does not finish') }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([troubles.length, settled.mock.calls.length]).toEqual([1, 0]);

    held.end();
    await written;
    expect((await store.read('a'))?.summary.seq).toBe(2);
    expect([troubles.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('is waited for by the session as well: it goes on when it has ended, and has lost nothing', async () => {
    const store = createIndexedDBStore({ name, slowAfter: 1_000, onWarning: (trouble) => troubles.push(trouble) });
    closers.push(() => store.close());
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(agent.createSession());
    await session.flushed();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const held = holdNext();
    session.addMessage({ role: 'user', content: 'one' });
    const saved = session.flushed();
    session.addMessage({ role: 'user', content: 'two' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(troubles.map(({ code }) => code)).toEqual(['STORAGE_FAILED']);
    expect(session.getStorage().state).toBe('saving');
    held.end();
    await saved;
    await session.flushed();
    expect(session.getStorage().state).toBe('saved');
    expect((await store.list()).sessions).toMatchObject([{ messageCount: 2 }]);
  });
});

describe('refused writes', () => {
  test('are told as QUOTA_EXCEEDED when the disk is full, although every request succeeded', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      Object.defineProperty(this, 'error', { value: new DOMException('full', 'QuotaExceededError') });
      this.abort();
    });
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', retryable: false });
    expect((await store.read('a'))?.summary.seq).toBe(1);
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.summary.seq).toBe(2);
  });

  test('change nothing when they hold what cannot be stored', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    const write = writeOf('a', 2, 3);
    const bad = {
      ...write,
      replaces: [[1, 2]] as const,
      events: [...write.events, Object.assign(writeOf('a', 0, 4), { seq: 4, f: () => {} })],
    };
    await expect(Reflect.apply(store.write, store, [bad])).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      retryable: false,
    });
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
    await store.write(write);
  });

  test('never put an event over one that is there', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    await expect(store.write(writeOf('a', 2, 2, 3))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('are undone as a whole when they are big and fail near their end', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    const seqs = Array.from({ length: 7000 }, (_, index) => 2 + index);
    await store.write(writeOf('b', 0, ...seqs));
    expect((await store.read('b'))?.events).toHaveLength(7000);
    // Its last event is there already: told when most of it has been put.
    await expect(store.write(writeOf('a', 1, ...seqs, 1))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await store.read('a'))?.events).toHaveLength(1);
    await store.write(writeOf('a', 1, 2));
  });

  test('are not told before the transaction is through', async () => {
    const store = createStore();
    await store.list();
    const order: string[] = [];
    const begin = IDBDatabase.prototype.transaction;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      const transaction = begin.apply(this, args);
      transaction.addEventListener('complete', () => order.push('complete'));
      return transaction;
    });
    const written = store.write(writeOf('a', 0, 1)).then(() => order.push('settled'));
    expect(IDBDatabase.prototype.transaction).toHaveBeenCalledExactlyOnceWith(
      expect.arrayContaining(['sessions', 'events']),
      'readwrite',
      {
        durability: 'relaxed',
      },
    );
    await written;
    expect(order).toEqual(['complete', 'settled']);
  });
});

describe('unreadable rows', () => {
  test('an unreadable head is listed without a title, its events can be read, and no other is harmed', async () => {
    const store = createStore();
    for (const id of ['a', 'b', 'c']) await store.write(writeOf(id, 0, 1));
    await tamper(name, (transaction) =>
      transaction.objectStore('sessions').put({ id: 'b', seq: 1, updatedAt: 2, title: 7 }),
    );
    expect((await store.list()).sessions).toMatchObject([{ id: 'c' }, { id: 'b', title: '', seq: 1 }, { id: 'a' }]);
    expect(await store.read('b')).toMatchObject({
      summary: { id: 'b', seq: 1 },
      events: [{ seq: 1 }],
      damage: 'its row',
    });
    expect(await store.read('a')).not.toHaveProperty('damage');
    expect(await store.remove('b')).toBe(true);
    expect(await store.read('b')).toBeUndefined();
  });

  test.each([
    null,
    'text',
    [],
    {},
    { type: 'x' },
    { type: 1, seq: 2, at: 1, v: 1 },
    { type: 'x', seq: '2', at: 1, v: 1 },
  ])('an event that is %j is said to be missing, and the others are read', async (row) => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2, 3));
    await store.write(writeOf('b', 0, 1));
    await tamper(name, (transaction) => transaction.objectStore('events').put(row, ['a', 2]));
    const stored = await store.read('a');
    expect(stored?.events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(stored?.damage).toBe('1 of its events');
    expect(await store.read('a', { after: 2 })).not.toHaveProperty('damage');
    expect(await store.read('b')).not.toHaveProperty('damage');
    expect((await store.list()).sessions).toHaveLength(2);
  });

  test.each<[string, (fences: IDBObjectStore, sessions: IDBObjectStore) => void, string]>([
    ['whose mark of its end is lost', (fences) => fences.delete(['b', 2]), 'the mark of its end'],
    [
      'whose mark says that it was removed, although it is listed',
      (fences) => {
        fences.delete(['b', 2]);
        fences.add('b', ['b', 0]);
      },
      'the mark of its end',
    ],
    ['whose row is lost', (_fences, sessions) => sessions.delete(['b', 2]), 'its row'],
  ])('a session %s can be read and removed, taken back, and harms no other', async (_what, spoil, damage) => {
    const store = createStore();
    for (const id of ['a', 'b']) await store.write(writeOf(id, 0, 1, 2));
    await tamper(name, (transaction) => spoil(transaction.objectStore('fences'), transaction.objectStore('sessions')));
    expect(await store.read('b')).toMatchObject({
      summary: { id: 'b', seq: 2 },
      events: [{ seq: 1 }, { seq: 2 }],
      damage,
    });
    expect(await store.read('a')).not.toHaveProperty('damage');
    expect((await store.list()).sessions).toContainEqual(expect.objectContaining({ id: 'a' }));
    expect([await store.remove('b'), await store.read('b')]).toEqual([true, undefined]);
    expect((await store.list()).sessions).toMatchObject([{ id: 'a' }]);
    expect([await store.restore?.('b'), (await store.read('b'))?.events.length]).toEqual([true, 2]);
    expect([await store.remove('b'), await store.remove('b')]).toEqual([true, false]);
  });

  test('a list of events with nonsense in it is said to lack that, and the rest is read', async () => {
    const store = createStore();
    await store.write({ ...writeOf('a', 0, 1, 2, 3), phase: 'settled' });
    const row = [textAt(1), null, textAt(3)];
    await tamper(name, (transaction) => transaction.objectStore('events').put(row, ['a', 3]));
    expect(await store.read('a')).toMatchObject({ events: [{ seq: 1 }, { seq: 3 }], damage: '1 of its events' });
    expect(await store.read('a', { after: 3 })).not.toHaveProperty('damage');
    expect((await store.list()).sessions).toHaveLength(1);
    expect(await store.remove('a')).toBe(true);
  });
});
