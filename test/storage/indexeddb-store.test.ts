import 'fake-indexeddb/auto';
import { AgentError } from 'brooklet';
import { createAesCodec, type StoreCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeOf } from './raw.ts';

let name: string;

beforeEach(() => {
  name = `store-${crypto.randomUUID()}`;
});

afterEach(async () => {
  vi.restoreAllMocks();
  await deleteDB(name);
});

/** A codec that the page loads itself, with a network that can fail. */
async function createLateCodec() {
  const network = { isDown: false };
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'HKDF', false, ['deriveKey']);
  const { load, loadCodec } = createAesCodec(key);
  const refused = new AgentError('The codec could not be loaded.', { code: 'MODULE_UNAVAILABLE' });
  const codec: StoreCodec = { loadCodec, load: async () => (network.isDown ? Promise.reject(refused) : load()) };
  return { codec, network };
}

describe('an IndexedDB store whose codec is not loaded yet', () => {
  test('stores what is written before, in order', async () => {
    const { codec } = await createLateCodec();
    const store = createIndexedDBStore({ name, codec });
    await Promise.all([store.write(writeOf('a', 0, 1)), store.write(writeOf('a', 1, 2))]);
    expect((await store.read('a'))?.events.map(({ seq }) => seq)).toEqual([1, 2]);
    store.close();
  });

  test('rejects a verb while the codec cannot be loaded, and loads it again for the next verb', async () => {
    const { codec, network } = await createLateCodec();
    network.isDown = true;
    const store = createIndexedDBStore({ name, codec });
    await expect(store.write(writeOf('a', 0, 1))).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    await expect(store.list()).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    expect(store.isPersistent?.()).toBe(true);
    network.isDown = false;
    await store.write(writeOf('a', 0, 1));
    expect((await store.read('a'))?.events).toHaveLength(1);
    store.close();
  });

  test('refuses verbs once it is closed, and opens no database', async () => {
    const opens = vi.spyOn(indexedDB, 'open');
    const { codec, network } = await createLateCodec();
    for (const isDown of [false, true]) {
      network.isDown = isDown;
      const store = createIndexedDBStore({ name, codec });
      store.close();
      network.isDown = false;
      await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', type: 'STORAGE' });
    }
    expect(opens).not.toHaveBeenCalled();
  });
});

test('a store that is closed before its first verb refuses verbs, and opens no database', async () => {
  const opens = vi.spyOn(indexedDB, 'open');
  const store = createIndexedDBStore({ name });
  store.close();
  await expect(store.list()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', type: 'STORAGE' });
  expect(opens).not.toHaveBeenCalled();
});

test('a write begins within its call once the database is open', async () => {
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
