import { createSessionLocks } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';

const newLocks = (timeout: number): ReturnType<typeof createSessionLocks> =>
  createSessionLocks({ name: `locks-${crypto.randomUUID()}`, timeout });

describe('session locks', () => {
  test('are held by one at a time, for each session', async () => {
    const locks = newLocks(20);
    const lock = await locks.acquire('a');
    expect([lock.isExclusive, lock.signal.aborted]).toEqual([true, false]);
    await expect(locks.acquire('a')).rejects.toMatchObject({ code: 'SESSION_BUSY', retryable: true });
    (await locks.acquire('b')).release();
    (await newLocks(20).acquire('a')).release();
    lock.release();
    lock.release();
    (await locks.acquire('a')).release();
  });

  test('are given to who waits when the holder lets go in time', async () => {
    const locks = newLocks(10_000);
    const first = await locks.acquire('a');
    const second = locks.acquire('a');
    const queued = async (): Promise<boolean> => ((await navigator.locks.query()).pending ?? []).length > 0;
    while (!(await queued()));
    first.release();
    (await second).release();
    expect(first.signal.aborted).toBe(false);
  });

  test('leave no one in the queue who has given up', async () => {
    const name = `locks-${crypto.randomUUID()}`;
    const first = await createSessionLocks({ name }).acquire('a');
    await expect(createSessionLocks({ name, timeout: 1 }).acquire('a')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
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
    await expect(createSessionLocks({ name, timeout: 1 }).acquire('a')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    const waiting = createSessionLocks({ name, timeout: 10_000 }).acquire('a');
    frame.remove();
    (await waiting).release();
  });

  test('can be taken; who had it is told', async () => {
    const locks = newLocks(20);
    const robbed = await locks.acquire('a');
    const told = new Promise((resolve) => robbed.signal.addEventListener('abort', resolve));
    const taken = await locks.take('a');
    await told;
    expect(robbed.signal.reason).toMatchObject({ code: 'SESSION_BUSY' });
    robbed.release();
    await expect(locks.acquire('a')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    expect(taken.signal.aborted).toBe(false);
    taken.release();
  });
});
