import { createSessionLocks } from 'brooklet/storage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

describe('session locks in a browser without Web Locks', () => {
  beforeEach(() => vi.stubGlobal('navigator', {}));
  afterEach(() => vi.unstubAllGlobals());

  test('hold within the page, and say that they do not hold further', async () => {
    const locks = createSessionLocks();
    const lock = await locks.acquire('a');
    expect(lock.isExclusive).toBe(false);
    await expect(locks.acquire('a')).rejects.toMatchObject({ code: 'SESSION_BUSY', type: 'SESSION' });
    await locks.acquire('b');
    lock.release();
    (await locks.acquire('a')).release();
  });

  test('tell the holder when somebody takes the lock, and do not let it release what it has no more', async () => {
    const locks = createSessionLocks();
    const robbed = await locks.acquire('__proto__');
    const taken = await locks.take('__proto__');
    expect([robbed.signal.aborted, taken.signal.aborted]).toEqual([true, false]);
    expect(robbed.signal.reason).toMatchObject({ code: 'SESSION_BUSY' });
    robbed.release();
    await expect(locks.acquire('__proto__')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  });

  test('work where there is no navigator at all', async () => {
    vi.stubGlobal('navigator', undefined);
    (await createSessionLocks().acquire('a')).release();
  });
});
