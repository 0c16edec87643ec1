import { createSessionLocks } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';

const newLocks = (): ReturnType<typeof createSessionLocks> => createSessionLocks(`locks-${crypto.randomUUID()}`);

describe('session locks', () => {
  test('have one holder at a time per session', async () => {
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

  test('report whether a session is held', async () => {
    const locks = newLocks();
    expect(await locks.isHeld?.('a')).toBe(false);
    const lock = await locks.acquire('a');
    expect([await locks.isHeld?.('a'), await locks.isHeld?.('b')]).toEqual([true, false]);
    lock.release();
    await expect.poll(() => locks.isHeld?.('a')).toBe(false);
  });

  test('pass to the next in the queue when they are released', async () => {
    const locks = newLocks();
    const first = await locks.acquire('a');
    const second = locks.acquire('a');
    const queued = async (): Promise<boolean> => ((await navigator.locks.query()).pending ?? []).length > 0;
    while (!(await queued()));
    first.release();
    (await second).release();
    expect(first.signal.aborted).toBe(false);
  });

  test('drop a request from the queue when its signal aborts', async () => {
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

  test('are released when the page of their holder is unloaded', async () => {
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

  test('can be stolen, which aborts the signal of the former holder', async () => {
    const locks = newLocks();
    const stolenFrom = await locks.acquire('a');
    const aborted = new Promise((resolve) => stolenFrom.signal.addEventListener('abort', resolve));
    const taken = await locks.take('a');
    await aborted;
    expect(stolenFrom.signal.reason).toMatchObject({ code: 'SESSION_BUSY' });
    stolenFrom.release();
    await expect(locks.acquire('a', AbortSignal.timeout(20))).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    expect(taken.signal.aborted).toBe(false);
    taken.release();
  });

  test('are granted, not exclusively, to a page that may not use Web Locks', async () => {
    const request = vi.spyOn(navigator.locks, 'request');
    request.mockRejectedValue(new DOMException('Access to the Locks API is denied in this context.', 'SecurityError'));
    const lock = await newLocks().acquire('a');
    expect([lock.isExclusive, lock.signal.aborted]).toEqual([false, false]);
    lock.release();
    request.mockRestore();
  });
});
