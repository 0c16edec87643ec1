import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFeed } from '../../src/nats/feed.ts';
import type { Delivery, JetStream } from '../../src/nats/jetstream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine that delivers nothing, and counts its consumers. */
function createEngine() {
  const consumers: (number | undefined)[] = [];
  let isAway = false;
  const js: JetStream = {
    append: async () => undefined,
    last: async () => undefined,
    async consume({ from }) {
      consumers.push(from);
      if (isAway) throw new Error('The engine is away.');
      return { name: 'one', pending: 0 };
    },
    pull: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<Delivery>>(() => {}) }) }),
    release: () => {},
  };
  return { js, consumers, setAway: (value: boolean) => (isAway = value) };
}

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('asks at once for what was missed when the connection is back', async () => {
  const { js, consumers } = createEngine();
  const feed = createFeed({ js, subject: 'logs', onMessage: () => {} });
  await feed.start();
  feed.renew();
  await settle();
  expect(consumers).toEqual([undefined, 1]);
  feed.close();
});

test('waits a second after a failure, unless the connection is back', async () => {
  const { js, consumers, setAway } = createEngine();
  const feed = createFeed({ js, subject: 'logs', onMessage: () => {} });
  await feed.start();
  setAway(true);
  feed.renew();
  await settle(999);
  expect(consumers).toHaveLength(2);
  await settle(1);
  expect(consumers).toHaveLength(3);
  setAway(false);
  feed.renew();
  await settle();
  expect(consumers).toHaveLength(4);
  await settle(10_000);
  expect(consumers).toHaveLength(4);
  feed.close();
});
