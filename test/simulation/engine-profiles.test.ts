// What an engine does with the transactions of a page that is left: `npm run test:engines` repeats the same rows in the engines themselves.
import 'fake-indexeddb/auto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRowPage, type RowPage, type State } from '../engines/idb-rows/page.ts';
import { outcomeOf, type Row, rows } from '../engines/idb-rows/rows.ts';
import { createEngine, type EngineName, engineNames } from '../support/engine-profiles/index.ts';
import { createDevice, type Device } from './device.ts';
import { randomOf } from './random.ts';
import { windowEvent } from './virtual-globals.ts';
import { createVirtualTime } from './virtual-time.ts';

afterEach(() => vi.unstubAllGlobals());

interface Shown {
  readonly device: Device;
  readonly page: RowPage;
  readonly indexedDB: IDBFactory;
}

/** One browser with virtual tabs, whose database takes a while for each step. */
function createBrowser(name: EngineName, seed: number) {
  const random = randomOf(seed);
  const thrown: unknown[] = [];
  const time = createVirtualTime((error) => thrown.push(error));
  let last = 0;
  vi.stubGlobal('setImmediate', (task: () => void) => {
    last = Math.max(last, time.now() + random.below(2));
    time.after(last - time.now(), task);
  });
  const engine = createEngine(name, random);

  return {
    random,
    time,
    engine,
    thrown,
    open(): Shown {
      const page = engine.open({ enter: (task) => task(), onDropped: () => device.kill() });
      const device = createDevice('tab', time, { page });
      const window = {
        indexedDB: page.indexedDB,
        addEventListener: (type: string, listener: () => void) => void device.listen(windowEvent(type), listener),
        setTimeout: (task: () => void, ms: number) => device.schedule(ms, task),
      };
      return { device, page: createRowPage(window, 'rows', 10), indexedDB: page.indexedDB };
    },
    /** Lets time pass until a promise settles. */
    async settled<T>(promise: Promise<T>): Promise<T> {
      const progress: { readonly settled?: true }[] = [{}];
      promise.finally(() => progress.push({ settled: true })).catch(() => {});
      for (let turn = 0; turn < 1_000 && !progress.at(-1)?.settled; turn++) await time.pass(20);
      if (!progress.at(-1)?.settled) throw new Error('The promise does not settle.');
      return promise;
    },
  };
}

/** Plays a row, and returns what is found afterwards, and what the page has heard. */
async function play({ setup, way }: Row, engine: EngineName, seed: number) {
  const browser = createBrowser(engine, seed);
  const { random, time, settled } = browser;
  const { device, page } = browser.open();
  await settled(page.prepare(setup));
  if (setup.moment === 'stream') await time.pass(random.between(0, 60));
  if (way === 'reload') device.leave();
  else device.putAside();
  await time.pass(100);
  if (way === 'back' && device.isAlive()) device.comeBack();
  const after = way === 'back' && device.isAlive() ? page : browser.open().page;
  const state = await settled(after.look(4_000));
  expect(browser.thrown).toEqual([]);
  return { state: outcomeOf(setup, state), heard: after.heard() };
}

/** Seeds of a row, at least, and at most where its outcomes are several. */
const [fewest, most] = [8, 80];

describe.each(engineNames)('%s', (engine) => {
  test.each(rows)('$name', async (row) => {
    const found = new Set<State>();
    for (let seed = 1; seed <= fewest || (seed <= most && found.size < row.outcomes[engine].length); seed++) {
      const { state, heard } = await play(row, engine, seed);
      found.add(state);
      if (row.heard) expect(heard).toBe(row.heard[engine]);
    }
    expect([...found].toSorted()).toEqual([...row.outcomes[engine]].toSorted());
  });
});

/** Opens a database with one table, and returns what tests do with it. */
async function openTable({ open, settled }: ReturnType<typeof createBrowser>) {
  const { device, indexedDB } = open();
  const connect = async (): Promise<IDBDatabase> => {
    const request = indexedDB.open('table', 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore('s'));
    await settled(new Promise((resolve) => request.addEventListener('success', resolve)));
    return request.result;
  };
  const db = await connect();
  return { device, db, connect };
}

/** Begins a transaction that puts one row. */
function put(db: IDBDatabase, value: unknown, key: string, commits = true): IDBTransaction {
  const transaction = db.transaction('s', 'readwrite');
  transaction.objectStore('s').put(value, key);
  if (commits) transaction.commit();
  return transaction;
}

/** Resolves with how a transaction ends. */
const ended = (transaction: IDBTransaction): Promise<string> =>
  new Promise((resolve) => {
    transaction.addEventListener('complete', () => resolve('complete'));
    transaction.addEventListener('abort', () => resolve(transaction.error?.name ?? 'abort'));
  });

async function keysIn(db: IDBDatabase, { settled }: ReturnType<typeof createBrowser>): Promise<readonly unknown[]> {
  const transaction = db.transaction('s');
  const keys = transaction.objectStore('s').getAllKeys();
  await settled(ended(transaction));
  return keys.result;
}

describe('a full disk', () => {
  test.each([
    ['chromium', 'complete'],
    ['webkit', 'complete'],
    ['firefox', 'UnknownError'],
  ] as const)('in %s', async (name, later) => {
    const browser = createBrowser(name, 1);
    const { engine, settled } = browser;
    const { db, connect } = await openTable(browser);
    engine.setFull(true);
    expect(await settled(ended(put(db, 1, 'a')))).toBe('QuotaExceededError');
    engine.setFull(false);
    expect(await settled(ended(put(db, 1, 'a')))).toBe(later);
    const again = await connect();
    expect(await settled(ended(put(again, 1, 'b')))).toBe('complete');
    expect(await keysIn(again, browser)).toEqual(later === 'complete' ? ['a', 'b'] : ['b']);
  });
});

describe('a page that is killed', () => {
  test.each(engineNames)('%s keeps the first of its committed writes, and none that is not committed', async (name) => {
    const found = new Set<string>();
    for (let seed = 1; seed <= 40; seed++) {
      const browser = createBrowser(name, seed);
      const { device, db } = await openTable(browser);
      for (const key of ['a', 'b', 'c']) put(db, 1, key);
      put(db, 1, 'open', false);
      device.kill();
      const { db: next } = await openTable(browser);
      found.add((await keysIn(next, browser)).join(''));
    }
    expect([...found].toSorted()).toEqual(['', 'a', 'ab', 'abc']);
  });
});

describe('a page in the page cache', () => {
  test('Chromium drops it when it is in the way of another page', async () => {
    const browser = createBrowser('chromium', 1);
    const { device, db } = await openTable(browser);
    put(db, 1, 'open', false);
    expect(device.putAside()).toBe(true);
    await browser.time.pass(1_000);
    expect(device.isAlive()).toBe(true);
    const other = await openTable(browser);
    expect(await keysIn(other.db, browser)).toEqual([]);
    expect(device.isAlive()).toBe(false);
  });

  test('Firefox never tells it of a transaction that ended meanwhile', async () => {
    const browser = createBrowser('firefox', 1);
    const { device, db } = await openTable(browser);
    const ends: string[] = [];
    void ended(put(db, 1, 'a')).then((how) => ends.push(how));
    device.putAside();
    await browser.time.pass(1_000);
    device.comeBack();
    await browser.time.pass(60_000);
    expect(ends).toEqual([]);
    expect(await keysIn(db, browser)).toEqual(['a']);
  });
});

describe('what fake-indexeddb lacks', () => {
  test('a request outside of the callbacks of its transaction is refused', async () => {
    const browser = createBrowser('chromium', 1);
    const { db } = await openTable(browser);
    const transaction = db.transaction('s', 'readwrite');
    const store = transaction.objectStore('s');
    store.put(1, 'a').addEventListener('success', () => {
      // Promises of a callback still belong to it.
      void Promise.resolve().then(() => store.put(1, 'b'));
    });
    await Promise.resolve();
    store.put(1, 'c');
    await browser.time.pass(0);
    expect(() => store.put(1, 'd')).toThrow(expect.objectContaining({ name: 'TransactionInactiveError' }));
    expect(() => transaction.commit()).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
    await browser.settled(ended(transaction));
    expect(await keysIn(db, browser)).toEqual(['a', 'b', 'c']);
  });

  test('a listener is called once, or until its signal, where it says so', async () => {
    const browser = createBrowser('chromium', 1);
    const { db } = await openTable(browser);
    const heard: string[] = [];
    const listening = new AbortController();
    const transaction = db.transaction('s');
    const first = transaction.objectStore('s').openCursor();
    first.addEventListener('success', () => heard.push('stopped'), { signal: listening.signal });
    first.onsuccess = () => heard.push('property');
    first.addEventListener('success', () => heard.push('once'), { once: true });
    listening.abort();
    await browser.settled(ended(transaction));
    expect(heard).toEqual(['property', 'once']);
  });
});
