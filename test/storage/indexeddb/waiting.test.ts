import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import type { SessionStore, SessionSummary } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { until } from '../../support/until.ts';
import { writeOf } from '../raw.ts';

type Id = 'settled' | 'waiting' | 'removed';

/** Databases as a page of version 5 has left them, without and with a codec. Never edited: such databases exist. */
interface Golden {
  readonly ids: Readonly<Record<Id, string>>;
  readonly tables: Readonly<
    Record<string, { readonly keys: readonly IDBValidKey[]; readonly values: readonly unknown[] }>
  >;
  readonly sessions: Readonly<Record<string, Awaited<ReturnType<SessionStore['read']>>>>;
}

const golden: Readonly<Record<'plain' | 'sealed', Golden>> = JSON.parse(
  readFileSync(new URL('../golden/database-v5.json', import.meta.url), 'utf8'),
  (_key, value: unknown) =>
    isJsonObject(value) && typeof value.bytes === 'string'
      ? Uint8Array.from(Buffer.from(value.bytes, 'base64'))
      : value,
);

const call = { callId: 'c', name: 'pay', kind: 'approval', requestedAt: 7 } as const;

let name: string;
let store: SessionStore;

beforeEach(() => {
  name = `waiting-${crypto.randomUUID()}`;
});

afterEach(async () => {
  vi.restoreAllMocks();
  store.close();
  await deleteDB(name);
});

const waitingIds = async () => (await store.list({ waiting: true })).sessions.map(({ id }) => id);

/** Ids of the rows that the index of the sessions that wait contains. */
async function indexed(): Promise<readonly IDBValidKey[]> {
  const db = await openDB(name);
  const keys = await db.getAllKeysFromIndex('list', 'waiting');
  db.close();
  return keys;
}

/** Creates the database of version 5. */
async function createFifth({ tables }: Golden): Promise<void> {
  const db = await openDB(name, 5, {
    upgrade(created) {
      const sessions = created.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
      sessions.createIndex('id', 'id', { unique: true });
      sessions.createIndex('updated', ['updatedAt', 'id']);
      sessions.createIndex('removed', 'removedAt');
      for (const table of ['events', 'blobs', 'meta', 'texts', 'covers']) created.createObjectStore(table);
      created.createObjectStore('refs').createIndex('hash', 'hash');
      created.createObjectStore('fences').createIndex('id', '', { unique: true });
      const list = created.createObjectStore('list', { keyPath: 'id' });
      list.createIndex('updated', ['updatedAt', 'id']);
      list.createIndex('removed', 'removedAt');
    },
  });
  const transaction = db.transaction([...db.objectStoreNames], 'readwrite');
  for (const [table, { keys, values }] of Object.entries(tables))
    for (const [index, value] of values.entries())
      await transaction.objectStore(table).put(value, table === 'list' ? undefined : keys[index]);
  await transaction.done;
  db.close();
}

describe.each(['plain', 'sealed'] as const)('a database of version 5, %s', (kind) => {
  const { ids, sessions } = golden[kind];

  beforeEach(async () => {
    await createFifth(golden[kind]);
    const codec = kind === 'sealed' ? { codec: await aesCodec() } : {};
    store = createIndexedDBStore({ name, undoWindow: Number.MAX_SAFE_INTEGER, ...codec });
  });

  test('is read as that version has read it, and lists the session that waits without its calls', async () => {
    expect(await waitingIds()).toEqual([ids.waiting]);
    const [row] = (await store.list({ waiting: true })).sessions;
    expect(row).toEqual(sessions[ids.waiting]?.summary);
    expect(row).not.toHaveProperty('waiting');
    for (const id of [ids.settled, ids.waiting]) expect(await store.read(id)).toEqual(sessions[id]);
    expect((await store.list()).sessions.map(({ id }) => id).toSorted()).toEqual([ids.settled, ids.waiting].toSorted());
    expect((await store.list({ waiting: true, search: 'waiting' })).sessions.map(({ id }) => id)).toEqual([
      ids.waiting,
    ]);
    expect((await store.list({ waiting: true, search: 'settled' })).sessions).toEqual([]);
  });

  test('lists a session that was removed before the upgrade as waiting again, once it is restored', async () => {
    expect(await store.restore?.(ids.removed)).toBe(true);
    expect((await waitingIds()).toSorted()).toEqual([ids.removed, ids.waiting].toSorted());
    expect(await store.read(ids.removed)).toEqual(sessions[ids.removed]);
  });

  test('finds by its index the session that waits alone, after the first list', async () => {
    await store.list({ waiting: true });
    await until(async () => expect(await indexed()).toEqual([ids.waiting]));
    expect((await store.read(ids.settled))?.summary.title).toBe('Please: settled');
  });
});

test('reads the rows of the sessions that wait, and not those of the others', async () => {
  store = createIndexedDBStore({ name });
  const waits: Partial<SessionSummary> = { status: 'waiting', waiting: [call] };
  for (let index = 0; index < 200; index++) {
    const write = writeOf(`s${index}`, 0, 1);
    await store.write({ ...write, summary: { ...write.summary, ...(index % 50 === 0 && waits) } });
  }
  // fake-indexeddb copies each value that it reads.
  const copies = vi.spyOn(globalThis, 'structuredClone');
  const readBy = async (listing: Promise<unknown>): Promise<number> => {
    const before = copies.mock.calls.length;
    await listing;
    return copies.mock.calls.length - before;
  };
  await store.list({ limit: 1 });
  expect(await readBy(store.list({ limit: 200 }))).toBeGreaterThanOrEqual(200);
  expect(await readBy(store.list({ waiting: true }))).toBeLessThan(20);
  expect(await waitingIds()).toEqual(['s50', 's150', 's100', 's0']);
});

test('leaves out waiting calls that no page of this package has written', async () => {
  store = createIndexedDBStore({ name });
  const write = writeOf('a', 0, 1);
  await store.write({ ...write, summary: { ...write.summary, status: 'waiting', waiting: [call] } });
  const db = await openDB(name);
  const row: object = await db.get('list', 'a');
  await db.put('list', { ...row, waiting: [{ callId: 7 }] });
  db.close();
  const [listed] = (await store.list({ waiting: true })).sessions;
  expect([listed?.status, listed && 'waiting' in listed]).toEqual(['waiting', false]);
  expect((await store.read('a'))?.summary).not.toHaveProperty('waiting');
});
