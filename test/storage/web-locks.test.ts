import { createSessionLocks } from 'brooklet/storage';
import { afterEach, describe, expect, test, vi } from 'vitest';

/** A `LockManager` that grants nothing, and refuses with an error of this name. */
function refuseWith(name: string): void {
  const request = () => Promise.reject(new DOMException('no', name));
  vi.stubGlobal('navigator', { locks: { request, query: async () => ({}) } });
}

afterEach(() => vi.unstubAllGlobals());

describe('a browser with Web Locks', () => {
  test('denies them to a sandboxed page, whose locks are then exclusive to the page', async () => {
    refuseWith('SecurityError');
    const lock = await createSessionLocks('sandboxed').acquire('a');
    expect(lock.isExclusive).toBe(false);
    lock.release();
  });

  test('refuses a request that left the queue', async () => {
    refuseWith('AbortError');
    await expect(createSessionLocks('busy').acquire('a')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  });

  test('may state no list of locks: then none is held', async () => {
    refuseWith('AbortError');
    expect(await createSessionLocks('busy').isHeld?.('a')).toBe(false);
  });
});

/** A `LockManager` of first come, first served. */
function createManager() {
  const queues = new Map<string, Promise<unknown>>();
  const held = new Set<string>();
  return {
    async request(name: string, _options: LockOptions, granted: () => Promise<void>) {
      const before = queues.get(name);
      const turn = (async () => {
        await before;
        held.add(name);
        await granted();
        held.delete(name);
      })();
      queues.set(name, turn);
      return turn;
    },
    query: async () => ({ held: Array.from(held, (name) => ({ name })), pending: [] }),
  };
}

describe('a tab that watches the run of another one', () => {
  test('finds the lock of an owner whose request is still on its way', async () => {
    const manager = createManager();
    vi.stubGlobal('navigator', { locks: manager });
    const watching = createSessionLocks('late').acquire('a', undefined, { isWatch: true });
    let watched = false;
    void watching.then(() => (watched = true));
    let release = (): void => {};
    // WebKit hands it over after a write that was begun later.
    setTimeout(() => {
      void manager.request('brooklet:late:a', {}, () => new Promise((resolve) => (release = resolve)));
    }, 20);
    await expect.poll(async () => (await manager.query()).held.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(watched).toBe(false);
    release();
    (await watching).release();
  });

  test('waits in the queue at once where there is an owner, and gets the lock where there is none', async () => {
    vi.stubGlobal('navigator', { locks: createManager() });
    const locks = createSessionLocks('now');
    const owner = await locks.acquire('a');
    const order: string[] = [];
    const watching = locks.acquire('a', undefined, { isWatch: true }).then((lock) => {
      order.push('watcher');
      lock.release();
    });
    // A list of locks takes a turn.
    await new Promise((resolve) => setTimeout(resolve));
    const later = locks.acquire('a').then((lock) => {
      order.push('later');
      lock.release();
    });
    owner.release();
    await Promise.all([watching, later]);
    expect(order).toEqual(['watcher', 'later']);
    (await locks.acquire('b', undefined, { isWatch: true })).release();
  });

  test('leaves without a lock when its signal aborts meanwhile', async () => {
    refuseWith('AbortError');
    const leaving = new AbortController();
    const watching = createSessionLocks('left').acquire('a', leaving.signal, { isWatch: true });
    leaving.abort();
    await expect(watching).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  });
});

test('a lock is exclusive, and one that is stolen is reported to its holder', async () => {
  const held = new Map<string, { reject(thrown: unknown): void }>();
  vi.stubGlobal('navigator', {
    locks: {
      request: (name: string, { steal }: LockOptions, granted: () => Promise<void>) =>
        new Promise((resolve, reject) => {
          if (steal) held.get(name)?.reject(new DOMException('stolen', 'AbortError'));
          held.set(name, { reject });
          granted().then(resolve, reject);
        }),
      query: async () => ({ held: [...held.keys()].map((name) => ({ name })) }),
    },
  });
  const locks = createSessionLocks('two');
  const first = await locks.acquire('a');
  const second = await locks.take('a');
  expect([first.isExclusive, await locks.isHeld?.('a'), await locks.isHeld?.('b')]).toEqual([true, true, false]);
  await expect.poll(() => first.signal.aborted).toBe(true);
  expect([first.signal.reason, second.signal.aborted]).toMatchObject([{ code: 'SESSION_BUSY' }, false]);
});
