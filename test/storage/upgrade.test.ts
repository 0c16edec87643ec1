import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB, openDB } from 'idb';
import { expect, test } from 'vitest';
import { textAt, writeOf } from './raw.ts';

test('a database of the first version is read, searched, gone on with and cleared', async () => {
  const name = `upgrade-${crypto.randomUUID()}`;
  // As the first version made it. Never edited: there are such databases.
  const first = await openDB(name, 1, {
    upgrade(db) {
      const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
      sessions.createIndex('id', 'id', { unique: true });
      sessions.createIndex('updated', ['updatedAt', 'id']);
      for (const table of ['events', 'blobs', 'meta']) db.createObjectStore(table);
    },
  });
  await first.put('sessions', writeOf('a', 0, 1, 2).head);
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
