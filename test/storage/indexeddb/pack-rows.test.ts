import 'fake-indexeddb/auto';
import { createAgent, type SessionEvent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wrap } from '../../../src/storage/indexeddb/deferred.ts';
import { packRows, settledThrough } from '../../../src/storage/indexeddb/pack-rows.ts';
import { openRaw, tamper, textAt, writeOf } from '../raw.ts';
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
  await packRows(wrap(db), sessionId, settledThrough((await store.read(sessionId))?.events ?? []), idle);
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
  expect(await rowCount()).toBeLessThan(40);
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

test('leaves rows alone that it cannot read', async () => {
  await storeTurns(20);
  const id = (await store.list()).sessions[0]?.id ?? '';
  await tamper(name, (transaction) => transaction.objectStore('events').put('?', [id, 3]));
  const [rows, before] = [await rowCount(), await store.read(id)];
  await pack(id);
  expect([await rowCount(), await store.read(id)]).toEqual([rows, before]);
});

test('reads a log that cannot be packed only once', async () => {
  const big = (seq: number): SessionEvent => textAt(seq, 'x'.repeat(2_000));
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
  await until(() => expect(idles).toBe(2));
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
  await until(async () => expect(await rowCount()).toBeLessThan(40));
  expect(await store.read(id)).toEqual(before);
});
