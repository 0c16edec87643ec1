import 'fake-indexeddb/auto';
import { createNotesStore } from 'brooklet/tools';
import { deleteDB, openDB } from 'idb';
import { expect, test } from 'vitest';

test('a database that a newer version of the page has stored is left unchanged, and says so', async () => {
  const name = `notes-${crypto.randomUUID()}`;
  const newer = await openDB(name, 7, { upgrade: (db) => void db.createObjectStore('later') });
  newer.close();
  const notes = createNotesStore({ name });
  for (const outcome of [notes.list(), notes.add('milk')]) {
    await expect(outcome).rejects.toMatchObject({
      code: 'STORAGE_BLOCKED',
      message: expect.stringContaining('A newer version of this page'),
      retryable: false,
    });
  }
  const after = await openDB(name);
  expect([after.version, [...after.objectStoreNames]]).toEqual([7, ['later']]);
  after.close();
  // The newer version is gone: the older one works again.
  await deleteDB(name);
  expect(await notes.add('milk')).toMatchObject({ id: 1 });
});

test('a newer version of the page is not blocked by an open database, and the older page then says so', async () => {
  const name = `notes-${crypto.randomUUID()}`;
  const notes = createNotesStore({ name });
  await notes.add('milk');
  const newer = await openDB(name, 2);
  await expect(notes.add('bread')).rejects.toMatchObject({ code: 'STORAGE_BLOCKED' });
  newer.close();
});
