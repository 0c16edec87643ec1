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
const warnings: AgentError[] = [];

function createStore(): ReturnType<typeof createIndexedDBStore> {
  const store = createIndexedDBStore({ name, onWarning: (warning) => warnings.push(warning) });
  closers.push(() => store.close());
  return store;
}
const closers: (() => void)[] = [];

beforeEach(() => {
  name = `errors-${crypto.randomUUID()}`;
  warnings.length = 0;
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
  await deleteDB(name);
});

/** Resolves with the error with which a promise rejects. */
const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((thrown: unknown) => thrown);

/** Changes the nth open of a database (counted from 1). */
function onOpen(behave: (nth: number, open: () => IDBOpenDBRequest) => IDBOpenDBRequest): {
  readonly count: () => number;
} {
  const real = indexedDB.open.bind(indexedDB);
  const spy = vi.spyOn(indexedDB, 'open');
  spy.mockImplementation((database, version) => behave(spy.mock.calls.length, () => real(database, version)));
  return { count: () => spy.mock.calls.length };
}

/** The browser's database object of the last open. */
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
      if (db === undefined) throw new Error('No database was opened.');
      return db;
    },
  };
}

/** An open request without an answer, until it answers like another request, or fails. */
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
    for (const [name, listener] of listeners) if (name === type) listener(event);
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
  test('opens the database once, with the first verb', async () => {
    const opens = onOpen((_nth, open) => open());
    const store = createStore();
    expect(opens.count()).toBe(0);
    await Promise.all([store.list(), store.read('a'), store.write(writeOf('a', 0, 1))]);
    await store.list();
    expect(opens.count()).toBe(1);
  });

  test('tries three times when the browser fails to open its own files', async () => {
    const opens = onOpen((nth, open) =>
      nth < 3
        ? failingOpen(new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'))
        : open(),
    );
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    expect(opens.count()).toBe(3);
    expect([warnings, store.isPersistent?.()]).toEqual([[], true]);
  });

  test('tries again when the browser aborts an upgrade, without an unhandled rejection', async () => {
    const create = IDBDatabase.prototype.createObjectStore;
    vi.spyOn(IDBDatabase.prototype, 'createObjectStore').mockImplementationOnce(function (this: IDBDatabase, ...args) {
      const table = create.apply(this, args);
      queueMicrotask(() => table.transaction.abort());
      return table;
    });
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    expect((await store.read('a'))?.summary.seq).toBe(1);
    expect(warnings).toEqual([]);
  });

  test('closes a database that opens after the store was closed', async () => {
    const opened = lastOpened();
    const store = createStore();
    const outcome = caught(store.list());
    store.close();
    expect(await outcome).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await until(() => expect(() => opened.get().transaction('list')).toThrow(DOMException));
  });
});

describe('memory replaces the database', () => {
  const internal = () =>
    failingOpen(new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'));
  const denied = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };

  test.each([
    ['the page has no IndexedDB', () => vi.stubGlobal('indexedDB', undefined)],
    ['the browser forbids storage', () => onOpen(denied)],
    ['the browser forbids storage in an event', () => onOpen(() => failingOpen(new DOMException('', 'SecurityError')))],
    ['the browser fails to open its own files', () => onOpen(internal)],
  ])('where %s: every verb works, and the page is warned once', async (_why, spoil) => {
    spoil();
    const store = createStore();
    const changes: string[] = [];
    store.changes$.subscribe((id) => changes.push(id));
    await Promise.all([store.list(), store.read('a'), store.write(writeOf('a', 0, 1))]);
    await store.write(writeOf('a', 1, 2));
    await store.write(writeOf('b', 0, 1));
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await store.remove('b')).toBe(true);
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(['a']);
    expect(changes).toEqual(['a', 'a', 'b', 'b']);
    expect(store.isPersistent?.()).toBe(false);
    expect(warnings).toMatchObject([
      { type: 'STORAGE', code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining('only as long as this page') },
    ]);
    vi.unstubAllGlobals();
  });

  test('after three attempts at most, however many verbs are called', async () => {
    const opens = onOpen(internal);
    const store = createStore();
    for (let call = 0; call < 5; call++) await store.list();
    expect(opens.count()).toBe(3);
  });

  test('after 5 s without an answer, and closes a database that is opened later', async () => {
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
    expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_UNAVAILABLE']);
    vi.useRealTimers();
    for (const open of late) answerAs(open);
    await until(() => expect(() => late[0]?.result.transaction('list')).toThrow(DOMException));
    expect((await store.list()).sessions).toHaveLength(1);
  });

  test('after 60 s where an upgrade has begun', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const request = new IDBOpenDBRequest();
    const never = new Promise(() => {});
    // An upgrade that does not finish.
    Object.defineProperty(request, 'result', { value: { createObjectStore: () => ({ createIndex: () => never }) } });
    Object.defineProperty(request, 'transaction', { value: { done: never } });
    onOpen(() => request);
    const listed = createStore().list();
    await until(() => expect(indexedDB.open).toHaveBeenCalled());
    request.dispatchEvent(new IDBVersionChangeEvent('upgradeneeded'));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(warnings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await listed).sessions).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_UNAVAILABLE']);
  });

  test('never where the database has been open, because the page shows sessions from it', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    opened.get().close();
    vi.mocked(indexedDB.open).mockImplementation(internal);
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect([warnings, store.isPersistent?.()]).toEqual([[], true]);
    vi.mocked(indexedDB.open).mockRestore();
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.summary.seq).toBe(2);
  });

  test('never for a closed store', async () => {
    onOpen(denied);
    const store = createStore();
    await store.list();
    store.close();
    await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('so that a conversation continues', async () => {
    onOpen(denied);
    const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]), store: createStore() });
    const session = await agent.openSession(agent.createSession());
    expect((await session.send('Hi')).outcome).toBe('completed');
    await session.flushed();
    expect((await agent.store?.list())?.sessions).toMatchObject([{ id: session.id, title: 'Hi', messageCount: 2 }]);
  });
});

describe('another version of the database', () => {
  test('is left unchanged where it is newer', async () => {
    const newer = await openRaw(name, 99);
    newer.close();
    const store = createStore();
    const outcome = store.write(writeOf('a', 0, 1));
    await expect(outcome).rejects.toMatchObject({ code: 'STORAGE_BLOCKED', retryable: false });
    const after = await openRaw(name);
    expect([after.version, [...after.objectStoreNames]]).toEqual([99, []]);
    after.close();
  });

  test('is needed by a page that lay in the page cache meanwhile: WebKit closes its connection without `versionchange`', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    Reflect.apply(forceCloseDatabase, undefined, [opened.get()]);
    const newer = await openRaw(name, schemaVersion + 1);
    newer.close();
    for (const outcome of [store.read('a'), store.write(writeOf('a', 1, 2))]) {
      await expect(outcome).rejects.toMatchObject({
        code: 'STORAGE_BLOCKED',
        message: expect.stringContaining('newer version of this page'),
        retryable: false,
      });
    }
    const after = await openRaw(name);
    expect(after.version).toBe(schemaVersion + 1);
    const keys = after.transaction('events').objectStore('events').getAllKeys();
    await until(() => expect(keys.result).toEqual([['a', 1]]));
    after.close();
  });

  test('is used again where the newer one is gone with the site data', async () => {
    (await openRaw(name, schemaVersion + 1)).close();
    const store = createStore();
    await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_BLOCKED' });
    await deleteDB(name);
    await store.write(writeOf('a', 0, 1));
    expect((await store.list()).sessions).toHaveLength(1);
  });

  test('closes the database for a newer version, warns, and asks for a reload from then on', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    const newer = await openRaw(name, schemaVersion + 1);
    expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_BLOCKED']);
    for (const outcome of [store.list(), store.write(writeOf('a', 1, 2))]) {
      await expect(outcome).rejects.toMatchObject({
        code: 'STORAGE_BLOCKED',
        message: expect.stringContaining('Reload'),
      });
    }
    newer.close();
  });

  test('stores a last write that starts in the warning', async () => {
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

  test('opens the database again after it was deleted', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    await deleteDB(name);
    expect(await store.list()).toEqual({ sessions: [] });
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    await store.write(writeOf('a', 0, 1));
    expect(warnings).toMatchObject([{ code: 'STORAGE_FAILED', message: expect.stringContaining('site data') }]);
  });

  test('waits for an older version in another tab, and warns the page', async () => {
    const older = createStore();
    await older.write(writeOf('a', 0, 1));
    older.close();
    const otherTab = await openRaw(name);
    onOpen(() => {
      vi.mocked(indexedDB.open).mockRestore();
      return indexedDB.open(name, schemaVersion + 1);
    });
    const list = createStore().list();
    await until(() => expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_BLOCKED']));
    otherTab.close();
    expect((await list).sessions).toHaveLength(1);
  });

  test('rejects with STORAGE_BLOCKED when another tab blocks too long, and works once that tab is closed', async () => {
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
    await until(() => expect(warnings).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await outcome).toMatchObject({ code: 'STORAGE_BLOCKED', retryable: true });
    vi.useRealTimers();
    otherTab.close();
    await until(async () => expect((await store.list()).sessions).toHaveLength(1));
  });

  test('ignores an error that the page throws in onWarning', async () => {
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
  test('is opened again after the browser closed it, and the page is warned', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    // Its types require the class of fake-indexeddb.
    Reflect.apply(forceCloseDatabase, undefined, [opened.get()]);
    await until(() => expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_FAILED']));
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.events).toHaveLength(2);
  });

  test('is opened again, once, when it turns out to be closed', async () => {
    const opened = lastOpened();
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    opened.get().close();
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.events).toHaveLength(2);
    expect(indexedDB.open).toHaveBeenCalledTimes(2);
  });

  test('rejects after three attempts when it is lost each time', async () => {
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
    'repeats a %s whose transaction was aborted with it, without an unhandled rejection',
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

  test('repeats a write whose transaction was aborted with it, once', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      this.abort();
    });
    await store.write(writeOf('a', 1, 2));
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe('a transaction that does not finish', () => {
  /** Delays the `complete` event of the next transaction for the store, until `finish` is called. */
  function delayNext(): { readonly finish: () => void } {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let delayed = 0;
    const begin = IDBDatabase.prototype.transaction;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (this: IDBDatabase, ...args) {
      const transaction = begin.apply(this, args);
      const listen = transaction.addEventListener.bind(transaction);
      vi.spyOn(transaction, 'addEventListener').mockImplementation((type: string, listener: unknown) => {
        // idb and the store listen. fake-indexeddb listens as well, later.
        const isOurs = type === 'complete' && ++delayed <= 2;
        const notify = (): unknown => typeof listener === 'function' && Reflect.apply(listener, undefined, []);
        Reflect.apply(listen, undefined, [type, isOurs ? () => void released.then(notify) : listener]);
      });
      return transaction;
    });
    return { finish: release };
  }

  test('causes one warning after slowAfter, and is still waited for', async () => {
    const store = createIndexedDBStore({ name, slowAfter: 1_000, onWarning: (warning) => warnings.push(warning) });
    closers.push(() => store.close());
    await store.write(writeOf('a', 0, 1));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const delayed = delayNext();
    const settled = vi.fn();
    const written = store.write(writeOf('a', 1, 2)).then(settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(warnings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(warnings).toMatchObject([{ code: 'STORAGE_FAILED', message: expect.stringContaining('does not finish') }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([warnings.length, settled.mock.calls.length]).toEqual([1, 0]);

    delayed.finish();
    await written;
    expect((await store.read('a'))?.summary.seq).toBe(2);
    expect([warnings.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('is waited for by the session, which then continues and has lost nothing', async () => {
    const store = createIndexedDBStore({ name, slowAfter: 1_000, onWarning: (warning) => warnings.push(warning) });
    closers.push(() => store.close());
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(agent.createSession());
    await session.flushed();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const delayed = delayNext();
    session.addMessage({ role: 'user', content: 'one' });
    const saved = session.flushed();
    session.addMessage({ role: 'user', content: 'two' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_FAILED']);
    expect(session.getStorage().state).toBe('saving');
    delayed.finish();
    await saved;
    await session.flushed();
    expect(session.getStorage().state).toBe('saved');
    expect((await store.list()).sessions).toMatchObject([{ messageCount: 2 }]);
  });
});

describe('refused writes', () => {
  test('reject with QUOTA_EXCEEDED when the disk is full, although every request succeeded', async () => {
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

  test('reject with QUOTA_EXCEEDED when Chromium loses its files on a full disk, until a verb succeeds again', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    const lost =
      'Connection is closing because of: IO error: .../000014.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::8)';
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      Object.defineProperty(this, 'error', { value: new DOMException(lost, 'UnknownError') });
      this.abort();
    });
    const opens = onOpen(() => failingOpen(new DOMException('The connection was closed.', 'AbortError')));
    for (let round = 0; round < 2; round++)
      await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect([opens.count() > 2, store.isPersistent?.()]).toEqual([true, true]);
    vi.restoreAllMocks();
    await store.write(writeOf('a', 1, 2));
    onOpen(() => failingOpen(new DOMException('The connection was closed.', 'AbortError')));
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The connection was closed.', 'InvalidStateError');
    });
    await expect(store.list()).rejects.not.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  test('change nothing when they contain a value that cannot be stored', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    const write = writeOf('a', 2, 3);
    const bad = {
      ...write,
      replaces: [[1, 2]] as const,
      events: [...write.events, Object.assign(writeOf('a', 0, 4), { seq: 4, f: () => {} })],
    };
    await expect(Reflect.apply(store.write, store, [bad])).rejects.toMatchObject({
      code: 'STORAGE_REJECTED',
      retryable: false,
    });
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
    await store.write(write);
  });

  test('never replace a stored event', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1, 2));
    await expect(store.write(writeOf('a', 2, 2, 3))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('are undone as a whole when they fail near the end of a long log', async () => {
    const store = createStore();
    await store.write(writeOf('a', 0, 1));
    const seqs = Array.from({ length: 7000 }, (_, index) => 2 + index);
    await store.write(writeOf('b', 0, ...seqs));
    expect((await store.read('b'))?.events).toHaveLength(7000);
    // Its last event is stored already: reported when most of the write has been put.
    await expect(store.write(writeOf('a', 1, ...seqs, 1))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    expect((await store.read('a'))?.events).toHaveLength(1);
    await store.write(writeOf('a', 1, 2));
  });

  test('settle only after the transaction', async () => {
    const store = createStore();
    await store.list();
    const order: string[] = [];
    const begin = IDBDatabase.prototype.transaction;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      const transaction = begin.apply(this, args);
      // Beside the store's own work after a list.
      if (args[1] === 'readwrite') transaction.addEventListener('complete', () => order.push('complete'));
      return transaction;
    });
    const written = store.write(writeOf('a', 0, 1)).then(() => order.push('settled'));
    expect(IDBDatabase.prototype.transaction).toHaveBeenCalledExactlyOnceWith(
      expect.arrayContaining(['list', 'events']),
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
  test('a session with an unreadable summary is listed without a title and can be read, and others are not affected', async () => {
    const store = createStore();
    for (const id of ['a', 'b', 'c']) await store.write(writeOf(id, 0, 1));
    await tamper(name, (transaction) =>
      transaction.objectStore('list').put({ id: 'b', seq: 1, updatedAt: 2, title: 7 }),
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
  ])('an event that is %j is reported as damage, and the others are read', async (row) => {
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

  test.each<[string, (fences: IDBObjectStore, list: IDBObjectStore) => void, string]>([
    ['whose fence is lost', (fences) => fences.delete(['b', 2]), 'the mark of its end'],
    [
      'whose fence states a removal, although it is listed',
      (fences) => {
        fences.delete(['b', 2]);
        fences.add('b', ['b', 0]);
      },
      'the mark of its end',
    ],
    ['whose summary is lost', (_fences, list) => list.delete('b'), 'its row'],
  ])('a session %s can be read, removed and restored, and others are not affected', async (_what, spoil, damage) => {
    const store = createStore();
    for (const id of ['a', 'b']) await store.write(writeOf(id, 0, 1, 2));
    await tamper(name, (transaction) => spoil(transaction.objectStore('fences'), transaction.objectStore('list')));
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

  test('a list of events with an unreadable one reports the damage, and the rest is read', async () => {
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
