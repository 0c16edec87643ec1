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
