import 'fake-indexeddb/auto';
import { createAgent, type SessionEvent } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { decryptStored, encryptStored } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keysOf } from '../../../src/storage/indexeddb/keys.ts';
import { packRows, settledThrough } from '../../../src/storage/indexeddb/pack-rows.ts';
import { toLog } from '../../../src/storage/rows/to-log.ts';
import { aesCodec } from '../../support/codec.ts';
import { diskOf, openRaw, tamper, textAt, wrapped, writeOf } from '../raw.ts';
import { until } from '../../support/until.ts';

let name: string;
let store: ReturnType<typeof createIndexedDBStore>;

beforeEach(() => {
  name = `pack-${crypto.randomUUID()}`;
  store = createIndexedDBStore({ name });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  store.close();
  await deleteDB(name);
});

const idle = (): Promise<void> => Promise.resolve();

async function rowCount(): Promise<number> {
  const db = await openDB(name);
  const count = await db.count('events');
  db.close();
  return count;
}

async function pack(sessionId: string): Promise<void> {
  const db = await openRaw(name);
  await packRows(diskOf(db), sessionId, await wrapped(db).getAll('events', keysOf(sessionId)), idle);
  db.close();
}

/** Stores a session of many turns, one of them with an attachment and a long text. */
async function storeTurns(turns: number): Promise<ReturnType<typeof createAgent>> {
  const client = createScriptedClient((_request, index) => [
    reply.text(index === 3 ? 'long '.repeat(800) : `Answer ${index}`),
  ]);
  const agent = createAgent({ client, store });
  const session = await agent.openSession(agent.createSession());
  for (let turn = 0; turn < turns; turn++)
    await session.send({
      content: [
        { type: 'text', text: `Question ${turn}` },
        ...(turn === 5 ? [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(5_000) } as const] : []),
      ],
    });
  await session.flushed();
  return agent;
}

test('packs the rows of many runs into a few, and reads the same events, also after any seq', async () => {
  await storeTurns(300);
  const { sessions } = await store.list();
  const id = sessions[0]?.id ?? '';
  const before = await store.read(id);
  const rows = await rowCount();
  expect(rows).toBeGreaterThan(290);
  await pack(id);
  expect(await rowCount()).toBe(2);
  expect(await store.read(id)).toEqual(before);
  for (const after of [0, 1, 7, 500, (before?.summary.seq ?? 0) - 1])
    expect((await store.read(id, { after }))?.events).toEqual(before?.events.filter(({ seq }) => seq > after));
  const packed = await rowCount();
  await pack(id);
  expect(await rowCount()).toBe(packed);
});

test('leaves the events after the last run alone: the writer of the next run may replace them', async () => {
  const agent = await storeTurns(10);
  const id = (await store.list()).sessions[0]?.id ?? '';
  const session = await agent.openSession(id);
  session.addMessage({ role: 'user', content: 'Before the next run' });
  session.rename('Named');
  await session.flushed();
  await pack(id);
  await session.send('Next');
  await session.flushed();
  await pack(id);
  const stored = await store.read(id);
  expect(stored).not.toHaveProperty('damage');
  expect((await createAgent({ client: createScriptedClient([]), store }).openSession(id)).getMessages()).toEqual(
    session.getMessages(),
  );
});

test.each([
  ['the first row', 0],
  ['a row among those of a step', 5],
])('leaves a row alone that it cannot read: %s', async (_which, place) => {
  await storeTurns(20);
  const id = (await store.list()).sessions[0]?.id ?? '';
  const raw = await openRaw(name);
  const key = (await wrapped(raw).getAllKeys('events'))[place] ?? expect.unreachable();
  await wrapped(raw).put('events', '?', key);
  const before = await store.read(id);
  const rows = await rowCount();
  await pack(id);
  expect(await store.read(id)).toEqual(before);
  expect(await wrapped(raw).get('events', key)).toBe('?');
  // Such a row may contain events that belong between the others.
  if (place > 0) expect(await rowCount()).toBe(rows);
  raw.close();
});

test('reads a log that cannot be packed only once', async () => {
  const big = (seq: number): SessionEvent => textAt(seq, 'x'.repeat(32_000));
  const write = writeOf('big', 0, ...Array.from({ length: 300 }, (_, index) => index + 1));
  const end: SessionEvent = { type: 'run.ended', runId: 'r', outcome: 'completed', seq: 300, at: 1, v: 2 };
  await store.write({ ...write, events: [...write.events.slice(0, -1).map(({ seq }) => big(seq)), end] });
  let idles = 0;
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => {
    idles++;
    callback();
  });
  const reading = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  await store.read('big');
  const reads = reading.mock.calls.length;
  await until(() => expect(idles).toBe(1));
  await new Promise((resolve) => setTimeout(resolve));
  expect([reading.mock.calls.length, await rowCount()]).toEqual([reads, 300]);
  reading.mockRestore();
});

test('packs a log of many rows once the page is idle after it was read', async () => {
  const idles: (() => void)[] = [];
  await store.write(writeOf('short', 0, 1, 2, 3));
  await storeTurns(150);
  const id = (await store.list()).sessions[0]?.id ?? '';
  // The list indexes the sessions in idle time.
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idles.push(callback));
  await store.read('short');
  const before = await store.read(id);
  await until(() => expect(idles).toHaveLength(2));
  expect(await rowCount()).toBeGreaterThan(140);
  idles.forEach((idle) => idle());
  // Each step waits until the page is idle again.
  await until(async () => {
    idles.splice(0).forEach((idle) => idle());
    expect(await rowCount()).toBe(1 + 3);
  });
  expect(await store.read(id)).toEqual(before);
});

test('packed rows are searched, encrypted and removed as any other', async () => {
  const texts = Array.from({ length: 120 }, (_, index) => textAt(1 + index, `otter ${index} `.repeat(200)));
  const end: SessionEvent = { type: 'run.ended', runId: 'r', outcome: 'completed', seq: 121, at: 1, v: eventVersion };
  const message: SessionEvent = {
    type: 'message.added',
    message: { id: 'm', role: 'user', content: [{ type: 'text', text: 'A heron' }], timestamp: 1 },
    seq: 122,
    at: 1,
    v: eventVersion,
  };
  await store.write({ ...writeOf('s', 0, 122), events: [...texts, end, message] });
  await pack('s');
  expect(await rowCount()).toBe(2);
  const before = await store.read('s');
  expect((await store.list({ search: 'heron' })).sessions).toHaveLength(1);
  const codec = await aesCodec();
  store.close();
  await encryptStored(codec, { name });
  const sealed = createIndexedDBStore({ name, codec });
  expect(await sealed.read('s')).toEqual(before);
  sealed.close();
  await decryptStored(codec, { name });
  store = createIndexedDBStore({ name, undoWindow: 0 });
  expect(await store.read('s')).toEqual(before);
  await store.remove('s');
  expect(await rowCount()).toBe(0);
});

describe('rows that were written by hand', () => {
  type Row = readonly [seq: number, value: unknown];
  const range = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const small = (from: number, to: number): readonly Row[] => range(from, to).map((seq) => [seq, textAt(seq, 'x')]);
  const endAt = (seq: number): Row => [
    seq,
    { type: 'run.ended', runId: 'r', outcome: 'completed', seq, at: 1, v: eventVersion },
  ];
  const joined = (from: number, to: number): Row => [to, range(from, to).map((seq) => textAt(seq, 'x'))];

  /** Packs these rows. Returns the keys that are left, and how often the page was asked to be idle. */
  async function packed(...rows: readonly Row[]) {
    // The store creates the tables.
    await store.list();
    await tamper(name, (transaction) => {
      for (const [seq, value] of rows) transaction.objectStore('events').put(value, ['s', seq]);
      transaction.objectStore('fences').clear();
      transaction.objectStore('fences').put('s', ['s', rows.at(-1)?.[0] ?? 1]);
    });
    const raw = await openRaw(name);
    const db = wrapped(raw);
    let idles = 0;
    await packRows(
      diskOf(raw),
      's',
      rows.map(([, value]) => value),
      async () => void idles++,
    );
    const keys = (await db.getAllKeys('events')).map(([, seq]) => seq);
    const { events } = toLog(await db.getAll('events'));
    await Promise.all(keys.map((seq) => db.delete('events', ['s', seq])));
    raw.close();
    expect(events).toEqual(rows.flatMap(([, value]) => value));
    return { keys, idles };
  }

  const bySize = (seq: number, size: number): Row => [
    seq,
    textAt(seq, 'x'.repeat(size - JSON.stringify(textAt(seq, '')).length)),
  ];

  test('are packed step by step, up to the end of the last run', async () => {
    expect(await packed(...small(1, 299), endAt(300), ...small(301, 303))).toEqual({
      keys: [256, 300, 301, 302, 303],
      idles: 3,
    });
  });

  test('are packed in one step where they are as many as a step takes', async () => {
    expect(await packed(...small(1, 255), endAt(256))).toEqual({ keys: [256], idles: 2 });
  });

  test('are packed together with rows of several events', async () => {
    const mixed: Row = [8, [...range(4, 7).map((seq) => textAt(seq, 'x')), endAt(8)[1]]];
    expect(await packed(...small(1, 3), mixed)).toMatchObject({ keys: [8] });
  });

  test('are packed where they are enough to be worth a write', async () => {
    expect(await packed(...small(1, 3), endAt(4))).toEqual({ keys: [4], idles: 2 });
    expect(await packed(...small(1, 2), endAt(3))).toEqual({ keys: [1, 2, 3], idles: 1 });
  });

  test('are packed around a row that is too big, which stays', async () => {
    const [fits, big] = [bySize(3, 32_000), bySize(5, 32_001)];
    expect(await packed(...small(1, 2), fits, ...small(4, 4), big, ...small(6, 8), endAt(9))).toEqual({
      keys: [4, 5, 9],
      idles: 3,
    });
  });

  test('are packed into rows of up to 250,000 characters', async () => {
    const nine = range(1, 9).map((seq) => bySize(seq, 25_000));
    expect(await packed(...nine, bySize(10, 25_000), ...small(11, 13), endAt(14))).toMatchObject({ keys: [10, 14] });
    expect(await packed(...nine, bySize(10, 25_001), ...small(11, 12), endAt(13))).toMatchObject({ keys: [9, 13] });
  });

  test('are left alone where they have been packed', async () => {
    const lists = [joined(1, 600), joined(601, 1_200), joined(1_201, 1_800), joined(1_801, 2_400)];
    expect(await packed(...lists, endAt(2_401))).toEqual({ keys: [600, 1_200, 1_800, 2_400, 2_401], idles: 1 });
  });

  test('are left alone where no run has ended', async () => {
    expect(await packed(...small(1, 4))).toEqual({ keys: [1, 2, 3, 4], idles: 1 });
    expect(settledThrough([textAt(1)])).toBe(0);
  });

  test.each<[string, (table: IDBObjectStore) => void]>([
    ['are others', (table) => table.put(textAt(9), ['s', 2])],
    ['are fewer', (table) => table.delete(['s', 2])],
    [
      'have been packed by another page',
      (table) => {
        table.delete(IDBKeyRange.bound(['s', 1], ['s', 3]));
        table.put([...small(1, 3).map(([, value]) => value), endAt(4)[1]], ['s', 4]);
      },
    ],
    ['have one that cannot be read', (table) => table.put({ seq: 2 }, ['s', 2])],
  ])('are left alone where the rows of the table %s', async (_what, change) => {
    const rows = [...small(1, 3), endAt(4)];
    await store.list();
    await tamper(name, (transaction) => {
      for (const [seq, value] of rows) transaction.objectStore('events').put(value, ['s', seq]);
      change(transaction.objectStore('events'));
      transaction.objectStore('fences').put('s', ['s', 4]);
    });
    const raw = await openRaw(name);
    const before = await wrapped(raw).getAll('events');
    const log = rows.map(([, value]) => value);
    await packRows(diskOf(raw), 's', log, idle);
    expect(await wrapped(raw).getAll('events')).toEqual(before);
    raw.close();
  });

  test('are removed when the packed row is on the disk', async () => {
    const opening = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await packed(...small(1, 3), endAt(4));
    expect(opening.mock.calls).toContainEqual([['events', 'covers', 'fences'], 'readwrite', { durability: 'strict' }]);
    opening.mockRestore();
  });
});
