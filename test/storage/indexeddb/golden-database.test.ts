import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { createAgent, type SessionStore } from 'brooklet';
import { createIndexedDBStore, exportSession } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';

/** A database as a page of version 4 has left it, and what that version read from it. Never edited: such databases exist. */
interface Golden {
  readonly ids: Readonly<Record<'settled' | 'waiting' | 'half' | 'removed', string>>;
  readonly tables: Readonly<
    Record<string, { readonly keys: readonly IDBValidKey[]; readonly values: readonly unknown[] }>
  >;
  readonly sessions: Readonly<Record<string, Awaited<ReturnType<SessionStore['read']>>>>;
}

const golden: Golden = JSON.parse(readFileSync(new URL('../golden/database-v4.json', import.meta.url), 'utf8'));
const { settled, waiting, half, removed } = golden.ids;

let name: string;
let store: SessionStore;

/** Creates the database of version 4. */
async function createFourth(): Promise<IDBPDatabase> {
  const db = await openDB(name, 4, {
    upgrade(created) {
      const sessions = created.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
      sessions.createIndex('id', 'id', { unique: true });
      sessions.createIndex('updated', ['updatedAt', 'id']);
      for (const table of ['events', 'blobs', 'meta']) created.createObjectStore(table);
      sessions.createIndex('removed', 'removedAt');
      created.createObjectStore('refs').createIndex('hash', 'hash');
      created.createObjectStore('texts');
      created.createObjectStore('fences').createIndex('id', '', { unique: true });
    },
  });
  const transaction = db.transaction([...db.objectStoreNames], 'readwrite');
  for (const [table, { keys, values }] of Object.entries(golden.tables))
    for (const [index, value] of values.entries())
      await transaction.objectStore(table).put(value, table === 'sessions' ? undefined : keys[index]);
  await transaction.done;
  return db;
}

const open = () => createIndexedDBStore({ name, undoWindow: Number.MAX_SAFE_INTEGER });
const listed = async () => (await store.list()).sessions.map(({ id }) => id);

/** The number of rows of a table. */
async function countOf(table: string): Promise<number> {
  const db = await openDB(name);
  const count = await db.count(table);
  db.close();
  return count;
}

beforeEach(() => {
  name = `golden-${crypto.randomUUID()}`;
});

afterEach(async () => {
  store.close();
  await deleteDB(name);
});

describe('a database of version 4', () => {
  beforeEach(async () => {
    (await createFourth()).close();
    store = open();
  });

  test('is read as that version has read it', async () => {
    expect((await listed()).toSorted()).toEqual([settled, waiting, half].toSorted());
    for (const id of [settled, waiting, half]) expect(await store.read(id)).toEqual(golden.sessions[id]);
    expect([await store.read(removed), await store.wasRemoved?.(removed)]).toEqual([undefined, true]);
    expect([await store.restore?.(removed), await store.read(removed)]).toEqual([true, golden.sessions[removed]]);
    expect(await store.meta?.get('fact')).toEqual({ n: 1 });
  });

  test('goes on: half a reply is recovered, a new question is answered, and what is replaced is deleted', async () => {
    const agent = createAgent({ client: createScriptedClient([[reply.text('All is well.')]]), store });
    const session = await agent.openSession(half);
    await until(() => expect(session.getStatus()).toBe('interrupted'));
    await session.send('Are you there?');
    await session.flushed();
    const stored = await store.read(half);
    expect(stored).not.toHaveProperty('damage');
    expect(JSON.stringify(stored?.events)).toContain('All is well.');
    await until(async () => expect(await countOf('covers')).toBe(0));
  });

  test('loses the rows of its list in their old form, so that a removal leaves no title behind', async () => {
    expect(await countOf('sessions')).toBe(4);
    await store.list();
    await until(async () => expect(await countOf('sessions')).toBe(0));
    expect(await listed()).toHaveLength(3);
  });
});

describe('a database of version 4 that was damaged as WebKit does it', () => {
  async function damage(spoil: (db: IDBPDatabase) => Promise<unknown>): Promise<void> {
    const db = await createFourth();
    await spoil(db);
    db.close();
    store = open();
  }

  /** Erases the row and the fence of a session, and the events up to one. */
  const lose = (id: string, upTo: number) => async (db: IDBPDatabase) => {
    for (const table of ['sessions', 'fences'])
      for (const key of await db.getAllKeys(table))
        if (Array.isArray(key) && key[0] === id) await db.delete(table, key);
    await db.delete('events', IDBKeyRange.bound([id], [id, upTo, []]));
  };

  test.each([
    ['all events', 0],
    ['the last event', 9],
  ])('shows a session of which %s are left, read-only, without an error in a list', async (_what, upTo) => {
    await damage(lose(waiting, upTo));
    await until(async () => expect(await listed()).toContain(waiting));
    expect(await listed()).toHaveLength(3);
    const read = await store.read(waiting);
    expect(read?.damage).toContain('the mark of its end');
    for (const id of [settled, half]) expect(await store.read(id)).toEqual(golden.sessions[id]);
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(waiting);
    expect(session.getStorage().state).toBe('read-only');
    expect(read && exportSession(read)).toContain(waiting);
    const found = (await store.list({ search: 'pay' })).sessions.map(({ id }) => id);
    expect(found.length).toBeLessThanOrEqual(3);
    expect([await store.remove(waiting), await store.read(waiting)]).toEqual([true, undefined]);
    expect([await store.restore?.(waiting), (await store.read(waiting))?.events]).toEqual([true, read?.events]);
  });

  test.each([
    ['its fence', 'fences'],
    ['its row', 'sessions'],
  ])('shows a session that has lost %s', async (_what, table) => {
    await damage(async (db) => {
      for (const key of await db.getAllKeys(table))
        if (Array.isArray(key) && key[0] === settled) await db.delete(table, key);
    });
    await until(async () => expect(await listed()).toContain(settled));
    const read = await store.read(settled);
    expect(read?.events).toEqual(golden.sessions[settled]?.events);
    // A row is made again of the events; the fence is not, because what was written last is not known.
    expect(read?.damage).toBe(table === 'fences' ? 'the mark of its end' : undefined);
  });

  test('can be forked where something is left to say', async () => {
    await damage(lose(settled, 0));
    const agent = createAgent({ client: createScriptedClient([[reply.text('Yes.')]]), store });
    const session = await agent.openSession(settled);
    const fork = await agent.openSession(await agent.forkSession(settled));
    expect(fork.getMessages().map(({ role }) => role)).toEqual(session.getMessages().map(({ role }) => role));
    await fork.send('Still there?');
    await fork.flushed();
    expect(await store.read(fork.id)).not.toHaveProperty('damage');
  });
});
