import { createSessionLocks } from 'brooklet/storage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

describe('session locks in a browser without Web Locks', () => {
  beforeEach(() => vi.stubGlobal('navigator', {}));
  afterEach(() => vi.unstubAllGlobals());

  test('hold within the page, and say that they do not hold further', async () => {
    const locks = createSessionLocks();
    const lock = await locks.acquire('a');
    expect(lock.isExclusive).toBe(false);
    const leaving = new AbortController();
    const left = locks.acquire('a', leaving.signal);
    const next = locks.acquire('a');
    await locks.acquire('b');
    leaving.abort();
    await expect(locks.acquire('a', leaving.signal)).rejects.toMatchObject({ code: 'SESSION_BUSY', type: 'SESSION' });
    lock.release();
    await expect(left).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    (await next).release();
  });

  test('tell the holder when somebody takes the lock, and do not let it release what it has no more', async () => {
    const locks = createSessionLocks();
    const robbed = await locks.acquire('__proto__');
    const taken = await locks.take('__proto__');
    expect([robbed.signal.aborted, taken.signal.aborted]).toEqual([true, false]);
    expect(robbed.signal.reason).toMatchObject({ code: 'SESSION_BUSY' });
    let isFree = false;
    const next = locks.acquire('__proto__').then(() => (isFree = true));
    robbed.release();
    await new Promise((resolve) => setTimeout(resolve));
    expect(isFree).toBe(false);
    taken.release();
    await next;
  });

  test('work where there is no navigator at all', async () => {
    vi.stubGlobal('navigator', undefined);
    (await createSessionLocks().acquire('a')).release();
  });
});
