import { createSessionLocks } from 'brooklet/storage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

describe('session locks in a browser without Web Locks', () => {
  beforeEach(() => vi.stubGlobal('navigator', {}));
  afterEach(() => vi.unstubAllGlobals());

  test('are exclusive within the page, and report that they are not exclusive between tabs', async () => {
    const locks = createSessionLocks();
    const lock = await locks.acquire('a');
    expect(lock.isExclusive).toBe(false);
    const leaving = new AbortController();
    const left = locks.acquire('a', leaving.signal);
    const next = locks.acquire('a');
    await locks.acquire('b');
    leaving.abort();
    await expect(locks.acquire('a', leaving.signal)).rejects.toMatchObject({ code: 'SESSION_BUSY', type: 'SESSION' });
    // At once, and not at its turn.
    await expect(left).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    lock.release();
    (await next).release();
    // Its turn has been passed on.
    (await locks.acquire('a')).release();
  });

  test('report whether a session is held', async () => {
    const locks = createSessionLocks();
    expect(await locks.isHeld?.('a')).toBe(false);
    const lock = await locks.acquire('a');
    expect([await locks.isHeld?.('a'), await locks.isHeld?.('b')]).toEqual([true, false]);
    lock.release();
    await expect.poll(() => locks.isHeld?.('a')).toBe(false);
  });

  test('abort the signal of a holder whose lock is stolen, and ignore its release', async () => {
    const locks = createSessionLocks();
    const stolenFrom = await locks.acquire('__proto__');
    const taken = await locks.take('__proto__');
    expect([stolenFrom.signal.aborted, taken.signal.aborted]).toEqual([true, false]);
    expect(stolenFrom.signal.reason).toMatchObject({ code: 'SESSION_BUSY' });
    let isFree = false;
    const next = locks.acquire('__proto__').then(() => (isFree = true));
    stolenFrom.release();
    await new Promise((resolve) => setTimeout(resolve));
    expect(isFree).toBe(false);
    taken.release();
    await next;
  });

  test('work where there is no navigator', async () => {
    vi.stubGlobal('navigator', undefined);
    (await createSessionLocks().acquire('a')).release();
  });
});
