import type { SessionLock } from 'brooklet/core';
import { expect, test } from 'vitest';
import { type LockNews, takePlace } from '../../../src/core/log/lock-place.ts';
import { createGate } from '../../support/gate.ts';
import { settled } from '../../support/manual-client.ts';

/** A place in the queue of a lock that the test grants. */
function stage() {
  const gate = createGate();
  const taking = new AbortController();
  const news: LockNews[] = [];
  let released = 0;
  const lock: SessionLock = { isExclusive: true, signal: taking.signal, release: () => void released++ };
  const place = takePlace(
    () => gate.opened.then(() => lock),
    (change) => news.push(change),
  );
  place.granted.catch(() => {});
  return { ...gate, place, news, take: () => taking.abort(), released: () => released };
}

test('a lock is reported when it is granted, and when another tab takes it', async () => {
  const { open, take, news } = stage();
  open();
  await settled();
  expect(news).toEqual(['acquired']);
  take();
  expect(news).toEqual(['acquired', 'lost']);
});

test('a lock is released when the tab leaves, of which nothing is reported', async () => {
  const { open, place, news, take, released } = stage();
  open();
  await place.granted;
  expect(released()).toBe(0);
  place.leave();
  take();
  expect([released(), news]).toEqual([1, ['acquired']]);
});

test('a lock that is granted after the tab has left is released, and its place rejects as busy', async () => {
  const { open, place, news, released } = stage();
  place.leave();
  open();
  await expect(place.granted).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  expect([released(), news]).toEqual([1, []]);
});

test('a lock that is not granted is reported as denied', async () => {
  const { fail, place, news } = stage();
  const reason = new Error('no locks');
  fail(reason);
  await expect(place.granted).rejects.toBe(reason);
  expect(news).toEqual(['denied']);
});
