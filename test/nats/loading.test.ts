import type { SessionEvent } from 'brooklet/core';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as Logs from '../../src/sync/nats/logs.ts';
import { until } from '../support/until.ts';
import { natsServer } from './support/nats-server.ts';
import { setNatsStage } from './support/stage.ts';
import { textAt, writeAt } from './support/writes.ts';

/** Whether the code of logs can be loaded, and how often a page has asked for it. */
const network = vi.hoisted(() => ({ isDown: false, loads: 0 }));

vi.mock('../../src/sync/nats/logs.ts', async (load) => {
  const real = await load<typeof Logs>();
  return {
    get createLogs() {
      network.loads++;
      if (network.isDown) throw new TypeError('Failed to fetch dynamically imported module: /assets/logs-4f2a.js');
      return real.createLogs;
    },
  };
});

beforeEach(() => {
  network.isDown = false;
  network.loads = 0;
});

describe.skipIf(natsServer === undefined)('a store over NATS whose code of logs is not loaded yet', () => {
  const stage = setNatsStage();

  test('lists, tells of changes and has meta entries without it', async () => {
    const other = await stage().open();
    await other.write(writeAt('a', 0));
    network.isDown = true;
    const store = await stage().open();
    const told: string[] = [];
    store.changes$.subscribe((id) => told.push(id));
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(['a']);
    await store.meta.update('key', () => 1);
    await other.write(writeAt('b', 0));
    await until(() => expect(told).toEqual(['b']));
    expect(network.loads).toBe(1);
  });

  test('stores what is written before, in order and as it was, also if it is closed at once', async () => {
    const store = await stage().open();
    const events: SessionEvent[] = [textAt(1, 'one')];
    const writes = [store.write(writeAt('a', 0, '', { events })), store.write(writeAt('a', 1, 'two'))];
    events[0] = textAt(1, 'changed');
    events.push(textAt(2));
    const removals = [store.remove('a'), store.restore('a')];
    store.close();
    const late = store.write(writeAt('a', 2, 'three'));
    await expect(late).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await Promise.all(writes);
    expect(await Promise.all(removals)).toEqual([true, true]);
    const stored = await (await stage().open()).read('a');
    expect(stored?.events).toEqual([textAt(1, 'one'), textAt(2, 'two')]);
  });

  test('rejects verbs while it cannot be loaded, stores nothing, and loads it for the next verb', async () => {
    const store = await stage().open();
    network.isDown = true;
    const verbs = [
      store.write(writeAt('a', 0)),
      store.write(writeAt('a', 1)),
      store.read('a'),
      store.remove('a'),
      store.restore('a'),
      store.wasRemoved('a'),
    ];
    await Promise.all(
      verbs.map((verb) => expect(verb).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE', type: 'INTERNAL' })),
    );
    expect((await stage().state()).messages).toBe(0);
    network.isDown = false;
    await store.write(writeAt('a', 0));
    expect((await store.read('a'))?.events).toHaveLength(1);
    expect((await store.list()).sessions).toHaveLength(1);
  });

  test('loads it with a lease, so that a write can begin within `pagehide`', async () => {
    const store = await stage().open();
    const lock = await store.locks.acquire('a');
    await until(() => expect(network.loads).toBe(1));
    network.isDown = true;
    await store.write(writeAt('a', 0));
    expect((await store.read('a'))?.events).toHaveLength(1);
    lock.release();
  });

  test('gives leases while it cannot be loaded', async () => {
    network.isDown = true;
    const store = await stage().open();
    const lock = await store.locks.acquire('a');
    expect(await store.locks.isHeld?.('a')).toBe(true);
    lock.release();
  });

  test('erases what was removed long ago once it can be loaded', async () => {
    const store = await stage().open();
    await store.write(writeAt('a', 0));
    await store.write(writeAt('a', 1));
    await store.remove('a');
    network.isDown = true;
    await (await stage().open({ undoWindow: -60_000 })).list();
    await until(() => expect(network.loads).toBe(2));
    expect((await stage().state()).messages).toBe(3);
    network.isDown = false;
    await (await stage().open({ undoWindow: -60_000 })).list();
    await until(async () => expect((await stage().state()).messages).toBe(1));
  });
});
