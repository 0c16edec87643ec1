import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browserPorts } from '../../src/core/ports.ts';
import { createFeed } from '../../src/sync/nats/feed.ts';
import type { Delivery, JetStream } from '../../src/sync/nats/jetstream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * An engine whose nth consumer is on a server that numbers messages otherwise: by `drifts[n]`. Messages are stored one a second, the first one a
 * minute after the epoch.
 */
function createEngine({ drifts = [0] }: { readonly drifts?: readonly number[] } = {}) {
  const stored: Delivery[] = [];
  const consumers: string[] = [];
  let isAway = false;
  let wake = (): void => {};
  const copyOf = (nth: number): readonly Delivery[] =>
    stored.map((message) => ({ ...message, at: message.at + (drifts[nth] ?? 0) }));
  const places = new Map<string, number>();
  const js: JetStream = {
    append: async () => undefined,
    last: async () => undefined,
    async consume({ from, since }) {
      consumers.push(from !== undefined ? `from ${from}` : since !== undefined ? 'since' : 'last');
      if (isAway) throw new Error('The engine is away.');
      const name = String(consumers.length - 1);
      const copy = copyOf(Number(name));
      const first = copy.findIndex(({ at, storedAt }) => at >= (from ?? -Infinity) && storedAt >= (since ?? -Infinity));
      places.set(name, first === -1 ? copy.length : first);
      return { name, pending: copy.length - (places.get(name) ?? 0) };
    },
    async *pull({ name }) {
      const begin = places.get(name) ?? 0;
      for (let index = begin; ; index++) {
        while (index >= stored.length) await new Promise<void>((resolve) => (wake = resolve));
        const message = copyOf(Number(name))[index];
        if (message) yield { ...message, count: index - begin + 1 };
      }
    },
    purge: () => expect.unreachable(),
    release: () => {},
  };
  return {
    js,
    consumers,
    setAway: (value: boolean) => (isAway = value),
    store(id: string) {
      const at = stored.length + 1;
      const storedAt = 60_000 + 1000 * at;
      const data = new Uint8Array();
      stored.push({ subject: 'logs.a', id, at, storedAt, previous: at - 1, head: '', data, pending: 0, count: 0 });
      wake();
    },
  };
}

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('asks at once for what was missed when the connection is back', async () => {
  const { js, consumers } = createEngine();
  const feed = createFeed({ js, ports: browserPorts, subject: 'logs', onMessage: () => {} });
  await feed.start();
  feed.renew();
  await settle();
  expect(consumers).toEqual(['last', 'since']);
  feed.close();
});

test('waits a second after a failure, unless the connection is back', async () => {
  const { js, consumers, setAway } = createEngine();
  const feed = createFeed({ js, ports: browserPorts, subject: 'logs', onMessage: () => {} });
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

test.each([-3, -1, 0, 1, 3])(
  'delivers what was stored while it was away, from a server whose numbers differ by %i',
  async (drift) => {
    const { js, store } = createEngine({ drifts: [0, drift] });
    const delivered: string[] = [];
    const feed = createFeed({
      js,
      ports: browserPorts,
      subject: 'logs',
      onMessage: ({ id }) => void delivered.push(id),
    });
    for (const id of ['one', 'two', 'three']) store(id);
    await feed.start();
    expect(delivered).toEqual(['one', 'two', 'three']);
    feed.renew();
    // Stored before the next consumer begins.
    store('four');
    await settle();
    store('five');
    await settle();
    // The order stays: what is repeated comes before what is new.
    expect(delivered.slice(-2)).toEqual(['four', 'five']);
    expect(delivered.filter((id) => id === 'four')).toHaveLength(1);
    feed.close();
  },
);

test('delivers no more than the last ten seconds again', async () => {
  const { js, store } = createEngine();
  const delivered: string[] = [];
  const feed = createFeed({ js, ports: browserPorts, subject: 'logs', onMessage: ({ id }) => void delivered.push(id) });
  for (let nth = 1; nth <= 30; nth++) store(String(nth));
  await feed.start();
  feed.renew();
  await settle();
  expect(delivered.slice(30)).toEqual(['20', '21', '22', '23', '24', '25', '26', '27', '28', '29', '30']);
  feed.close();
});
