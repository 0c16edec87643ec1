import { createSessionLocks } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';

const newLocks = (): ReturnType<typeof createSessionLocks> => createSessionLocks(`locks-${crypto.randomUUID()}`);

describe('session locks', () => {
  test('are held by one at a time, for each session', async () => {
    const locks = newLocks();
    const lock = await locks.acquire('a');
    expect([lock.isExclusive, lock.signal.aborted]).toEqual([true, false]);
    await expect(locks.acquire('a', AbortSignal.timeout(20))).rejects.toMatchObject({
      code: 'SESSION_BUSY',
      retryable: true,
    });
    (await locks.acquire('b')).release();
    (await newLocks().acquire('a')).release();
    lock.release();
    lock.release();
    (await locks.acquire('a')).release();
  });

  test('are given to who waits when the holder lets go in time', async () => {
    const locks = newLocks();
    const first = await locks.acquire('a');
    const second = locks.acquire('a');
    const queued = async (): Promise<boolean> => ((await navigator.locks.query()).pending ?? []).length > 0;
    while (!(await queued()));
    first.release();
    (await second).release();
    expect(first.signal.aborted).toBe(false);
  });

  test('leave no one in the queue who has given up', async () => {
    const locks = newLocks();
    const first = await locks.acquire('a');
    const leaving = new AbortController();
    const left = locks.acquire('a', leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    await expect(locks.acquire('a', AbortSignal.timeout(1))).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    await expect(locks.acquire('a', leaving.signal)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    expect((await navigator.locks.query()).pending).toEqual([]);
    first.release();
  });

  test('come free when the page that held them is gone', async () => {
    const name = `locks-${crypto.randomUUID()}`;
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const granted = new Promise((resolve) => {
      void frame.contentWindow?.navigator.locks.request(`brooklet:${name}:a`, () => {
        resolve(undefined);
        return new Promise(() => {});
      });
    });
    await granted;
    const locks = createSessionLocks(name);
    await expect(locks.acquire('a', AbortSignal.timeout(1))).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    const waiting = locks.acquire('a');
    frame.remove();
    (await waiting).release();
  });

  test('can be taken; who had it is told', async () => {
    const locks = newLocks();
    const robbed = await locks.acquire('a');
    const told = new Promise((resolve) => robbed.signal.addEventListener('abort', resolve));
    const taken = await locks.take('a');
    await told;
    expect(robbed.signal.reason).toMatchObject({ code: 'SESSION_BUSY' });
    robbed.release();
    await expect(locks.acquire('a', AbortSignal.timeout(20))).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    expect(taken.signal.aborted).toBe(false);
    taken.release();
  });

  test('do not stand in the way of a page that may have none', async () => {
    const request = vi.spyOn(navigator.locks, 'request');
    request.mockRejectedValue(new DOMException('Access to the Locks API is denied in this context.', 'SecurityError'));
    const lock = await newLocks().acquire('a');
    expect([lock.isExclusive, lock.signal.aborted]).toEqual([false, false]);
    lock.release();
    request.mockRestore();
  });
});
