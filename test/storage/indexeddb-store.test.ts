import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeOf } from './raw.ts';

/** Whether the code of the store cannot be loaded, as without a network. */
const network = vi.hoisted(() => ({ isDown: false }));

vi.mock(import('../../src/core/lazy.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    lazy: <T>(load: () => Promise<T>) =>
      original.lazy(async () => {
        if (network.isDown) throw new TypeError('Failed to fetch a module.');
        return load();
      }),
  };
});

let name: string;

beforeEach(() => {
  name = `store-${crypto.randomUUID()}`;
});

afterEach(async () => {
  network.isDown = false;
  vi.restoreAllMocks();
  await deleteDB(name);
});

/** The function of a page that has loaded nothing yet. */
async function inNewPage(): Promise<typeof createIndexedDBStore> {
  vi.resetModules();
  return (await import('../../src/storage/indexeddb-store.ts')).createIndexedDBStore;
}

describe('an IndexedDB store whose code is not loaded yet', () => {
  test('stores what is written before, in order', async () => {
    const create = await inNewPage();
    const store = create({ name });
    await Promise.all([store.write(writeOf('a', 0, 1)), store.write(writeOf('a', 1, 2))]);
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
    store.close();
  });

  test('rejects a verb while the code cannot be loaded, and loads it again for the next verb', async () => {
    network.isDown = true;
    const create = await inNewPage();
    const store = create({ name });
    await expect(store.write(writeOf('a', 0, 1))).rejects.toMatchObject({
      code: 'MODULE_UNAVAILABLE',
      retryable: false,
    });
    await expect(store.list()).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    expect(store.isPersistent?.()).toBe(true);
    network.isDown = false;
    await store.write(writeOf('a', 0, 1));
    expect((await store.read('a'))?.events).toHaveLength(1);
    store.close();
  });

  test('refuses verbs once it is closed, and opens no database', async () => {
    const opens = vi.spyOn(indexedDB, 'open');
    const create = await inNewPage();
    const store = create({ name });
    store.close();
    await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', type: 'STORAGE' });
    network.isDown = true;
    const offline = (await inNewPage())({ name });
    offline.close();
    network.isDown = false;
    await expect(offline.list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(opens).not.toHaveBeenCalled();
  });
});

test('a write begins within its call once the code is loaded and the database open', async () => {
  const store = createIndexedDBStore({ name });
  await store.list();
  const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
  const written = store.write(writeOf('a', 0, 1));
  expect(begin).toHaveBeenCalledOnce();
  await written;
  store.close();
});

test.each([
  [{ name: '' }, 'name'],
  [{ undoWindow: -1 }, 'undoWindow'],
  [{ undoWindow: Number.NaN }, 'undoWindow'],
  [{ slowAfter: 0 }, 'slowAfter'],
  [{ slowAfter: Infinity }, 'slowAfter'],
])('options of %j are refused at once, by name', (options, word) => {
  expect(() => createIndexedDBStore(options)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(word) }),
  );
});
