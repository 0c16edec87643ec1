import type { SessionLock, SessionLocks } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { createReplicaLocks, type LockOptions } from '../../src/sync/replica/locks.ts';
import { createSessionLocks } from '../../src/storage/lock.ts';
import { createGate } from '../support/gate.ts';
import { settled } from '../support/manual-client.ts';

/** A session that another device runs, as the log says. `look` lets the tab look at the leases once more. */
function setUp(options: Partial<LockOptions> = {}) {
  let isElsewhere = true;
  let wake = (_hasChanged: boolean): void => {};
  const local = createSessionLocks(`locks-${crypto.randomUUID()}`);
  const locks = createReplicaLocks({
    local,
    remote: undefined,
    isElsewhere: async () => isElsewhere,
    whenChanged: (_id, signal) =>
      new Promise((resolve) => {
        wake = resolve;
        signal.addEventListener('abort', () => resolve(false));
      }),
    ...options,
  });
  async function look(hasChanged = false): Promise<void> {
    wake(hasChanged);
    await settled();
  }
  return { local, locks, look, end: () => (isElsewhere = false) };
}

/** Starts to wait for a lease. Returns what there is of it so far. */
function wait(locks: SessionLocks, signal?: AbortSignal) {
  const got: (SessionLock | Error)[] = [];
  locks.acquire('a', signal).then(
    (lock) => got.push(lock),
    (error: Error) => got.push(error),
  );
  return got;
}

/** Leases of a remote store, whose `isHeld` answers in order. The last answer stays. */
function leasesThat(...answers: readonly (() => Promise<boolean>)[]): SessionLocks {
  let nth = 0;
  return {
    acquire: () => new Promise(() => {}),
    take: () => new Promise(() => {}),
    isHeld: () => (answers[Math.min(nth++, answers.length - 1)] ?? expect.unreachable())(),
  };
}

const free = async (): Promise<boolean> => false;
const away = (): Promise<boolean> => Promise.reject(new Error('The wire is cut.'));

describe('a wait for another device that is called off', () => {
  test('leaves the lease to the other tabs', async () => {
    const { local, locks } = setUp();
    const leaving = new AbortController();
    const got = wait(locks, leaving.signal);
    await settled();
    expect(await local.isHeld?.('a')).toBe(true);
    leaving.abort(new Error('left'));
    await settled();
    expect(got).toMatchObject([{ message: 'left' }]);
    expect(await local.isHeld?.('a')).toBe(false);
  });

  test('leaves it where the log cannot be read', async () => {
    const { local, locks } = setUp({ isElsewhere: () => Promise.reject(new Error('unreadable')) });
    const got = wait(locks);
    await settled();
    expect(got).toMatchObject([{ message: 'unreadable' }]);
    expect(await local.isHeld?.('a')).toBe(false);
  });
});

test('a lease that was released before the remote store gave its own releases that one, too', async () => {
  const gate = createGate();
  let released = 0;
  const far: SessionLock = {
    isExclusive: true,
    signal: new AbortController().signal,
    release: () => void released++,
  };
  const remote: SessionLocks = { acquire: () => gate.opened.then(() => far), take: () => gate.opened.then(() => far) };
  const { locks, end } = setUp({ remote });
  end();
  (await locks.acquire('a')).release();
  (await locks.take('a')).release();
  gate.open();
  await settled();
  expect(released).toBe(2);
});

describe('a remote store that cannot be reached', () => {
  test.each([
    ['does not answer', leasesThat(away)],
    ['has no leases', undefined],
    ['answers once that the lease is free, and no more', leasesThat(free, away)],
    ['answers that the lease is free at every other look', leasesThat(free, away, free, away)],
  ])('does not end the wait for the other device: it %s', async (_what, remote) => {
    const { locks, look } = setUp({ remote });
    const got = wait(locks);
    for (let nth = 0; nth < 4; nth++) await look();
    expect(got).toEqual([]);
  });

  test.each([
    ['does not answer', leasesThat(away), true],
    ['has no leases', undefined, true],
    ['answers that the lease is free', leasesThat(free), false],
  ])('keeps the session with the other device: it %s', async (_what, remote, isHeld) => {
    expect(await setUp({ remote }).locks.isHeld?.('a')).toBe(isHeld);
  });

  test('ends the wait when the log says that the other device has ended', async () => {
    const { locks, look, end } = setUp({ remote: leasesThat(away) });
    const got = wait(locks);
    await settled();
    end();
    await look();
    expect(got).toMatchObject([{ isExclusive: expect.any(Boolean) }]);
  });
});

test('the wait ends where the lease is free twice without a change between, and not where the session has changed', async () => {
  const { locks, look } = setUp({ remote: leasesThat(free) });
  const got = wait(locks);
  await settled();
  await look(true);
  expect(got).toEqual([]);
  await look();
  expect(got).toHaveLength(1);
});
