import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { expect, test } from 'vitest';
import { openRaw, textAt, writeOf } from '../raw.ts';

/** A database of version 2. Never edited: such databases exist. */
function openSecond(name: string): Promise<IDBPDatabase> {
  return openDB(name, 2, {
    upgrade(db) {
      const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
      sessions.createIndex('id', 'id', { unique: true });
      sessions.createIndex('updated', ['updatedAt', 'id']);
      for (const table of ['events', 'blobs', 'meta']) db.createObjectStore(table);
      sessions.createIndex('removed', 'removedAt');
      db.createObjectStore('refs').createIndex('hash', 'hash');
      db.createObjectStore('texts');
    },
  });
}

test('a database of version 1 can be read, searched, written and cleared', async () => {
  const name = `upgrade-${crypto.randomUUID()}`;
  // A database of version 1. Never edited: such databases exist.
  const first = await openDB(name, 1, {
    upgrade(db) {
      const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
      sessions.createIndex('id', 'id', { unique: true });
      sessions.createIndex('updated', ['updatedAt', 'id']);
      for (const table of ['events', 'blobs', 'meta']) db.createObjectStore(table);
    },
  });
  await first.put('sessions', writeOf('a', 0, 1, 2).summary);
  await first.put('events', textAt(1), ['a', 1]);
  await first.put('events', textAt(2), ['a', 2]);
  await first.put('sessions', { id: 'gone', seq: 0 });
  first.close();

  const store = createIndexedDBStore({ name });
  expect((await store.read('a'))?.events).toEqual([textAt(1), textAt(2)]);
  expect((await store.list({ search: 'a' })).sessions).toHaveLength(1);
  expect([await store.read('gone'), await store.wasRemoved?.('gone'), await store.restore?.('gone')]).toEqual([
    undefined,
    true,
    false,
  ]);
  await store.write(writeOf('a', 2, 3));
  expect(await store.remove('a')).toBe(true);
  expect(await store.restore?.('a')).toBe(true);
  expect((await store.read('a'))?.events).toHaveLength(3);
  store.close();
  await deleteDB(name);
});

test('a database of version 2 can be read, written, searched and cleared, and removals restored or kept', async () => {
  const name = `upgrade-${crypto.randomUUID()}`;
  const second = await openSecond(name);
  await second.put('sessions', writeOf('a', 0, 1, 2, 3).summary);
  for (const seq of [1, 3]) await second.put('events', textAt(seq), ['a', seq]);
  const message = {
    id: 'm',
    role: 'user',
    content: [{ type: 'image', mediaType: 'image/png', data: null }],
    timestamp: 1,
  };
  await second.put('events', { type: 'message.added', message, seq: 2, at: 2, v: 1 }, ['a', 2]);
  await second.put('blobs', 'QUJD', 'hash');
  await second.put('refs', { seq: 2, path: ['message', 'content', 0, 'data'], hash: 'hash' }, ['a', 2, 0]);
  await second.put('texts', { seq: 3, text: 'otter' }, 'a');
  await second.put('meta', { n: 1 }, 'fact');
  // Removed not long ago, removed for good, and damaged.
  await second.put('sessions', { id: 'b', seq: 0, removedAt: Date.now(), row: writeOf('b', 0, 1).summary });
  await second.put('events', textAt(1), ['b', 1]);
  await second.put('sessions', { id: 'gone', seq: 0 });
  await second.put('sessions', { id: 'odd', seq: 1, updatedAt: 9, title: 7 });
  second.close();

  const store = createIndexedDBStore({ name });
  expect((await store.list()).sessions.map(({ id }) => id)).toEqual(['odd', 'a']);
  expect(await store.read('odd')).toMatchObject({ summary: { seq: 1 }, damage: 'its row, event 1' });
  expect(await store.read('a')).toMatchObject({
    summary: { seq: 3 },
    events: [{ seq: 1 }, { seq: 2, message: { content: [{ data: 'QUJD' }] } }, { seq: 3 }],
  });
  expect((await store.list({ search: 'otter' })).sessions).toMatchObject([{ id: 'a' }]);
  expect(await store.meta?.get('fact')).toEqual({ n: 1 });
  for (const late of ['b', 'gone'])
    await expect(store.write(writeOf(late, 1, 2))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
  await expect(store.write(writeOf('a', 2, 3))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
  await store.write(writeOf('a', 3, 4));
  expect([await store.wasRemoved?.('gone'), await store.restore?.('gone')]).toEqual([true, false]);
  expect([await store.restore?.('b'), (await store.read('b'))?.events]).toEqual([true, [textAt(1)]]);
  await store.write(writeOf('b', 1, 2));
  expect([await store.remove('odd'), await store.remove('a'), await store.restore?.('a')]).toEqual([true, true, true]);
  expect((await store.read('a'))?.events).toHaveLength(4);
  await store.write(writeOf('gone', 0, 1));
  expect((await store.list()).sessions.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'gone']);
  store.close();
  await deleteDB(name);
});

test('a database that other code of the page has made by opening it becomes one of this package', async () => {
  const name = `upgrade-${crypto.randomUUID()}`;
  (await openDB(name)).close();
  const store = createIndexedDBStore({ name });
  await store.write(writeOf('a', 0, 1, 2));
  expect((await store.read('a'))?.events).toEqual([textAt(1), textAt(2)]);
  expect((await store.list({ search: 'a' })).sessions).toHaveLength(1);
  store.close();
  await deleteDB(name);
});

test('an aborted upgrade leaves version 2 unchanged, and the next open upgrades it', async () => {
  const name = `upgrade-${crypto.randomUUID()}`;
  const second = await openSecond(name);
  await second.put('sessions', writeOf('a', 0, 1).summary);
  await second.put('events', textAt(1), ['a', 1]);
  second.close();

  // The tab is closed during the upgrade, whose transaction is undone.
  const request = indexedDB.open(name, 3);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('fences');
    request.transaction?.abort();
  });
  await new Promise((resolve) => request.addEventListener('error', resolve));
  const left = await openRaw(name);
  expect([left.version, left.objectStoreNames.contains('fences')]).toEqual([2, false]);
  left.close();

  const store = createIndexedDBStore({ name });
  await store.write(writeOf('a', 1, 2));
  expect((await store.read('a'))?.events).toHaveLength(2);
  store.close();
  await deleteDB(name);
});

test('half a reply of version 2 becomes one row of version 3', async () => {
  const name = `upgrade-${crypto.randomUUID()}`;
  const second = await openSecond(name);
  await second.put('sessions', writeOf('a', 0, 1, 2).summary);
  for (const seq of [1, 2]) await second.put('events', textAt(seq), ['a', seq]);
  second.close();

  const store = createIndexedDBStore({ name });
  const write = writeOf('a', 2, 3);
  const events = [textAt(1), textAt(2), textAt(3)];
  await store.write({ ...write, events, replaces: [[1, 2]], phase: 'settled' });
  expect((await store.read('a'))?.events).toEqual(events);
  store.close();
  const third = await openRaw(name);
  const count = third.transaction('events').objectStore('events').count();
  await new Promise((resolve) => count.addEventListener('success', resolve));
  expect(count.result).toBe(1);
  third.close();
  await deleteDB(name);
});
