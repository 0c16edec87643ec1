import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { createRemote, createSyncedStore } from 'brooklet/sync';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import { storeContract } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';

/** The stores that all devices share, by the name of the local store. */
const engines = new Map<string, ReturnType<typeof createMemoryStore>>();

function engineOf(name: string): ReturnType<typeof createMemoryStore> {
  const engine = engines.get(name) ?? createMemoryStore();
  engines.set(name, engine);
  // Several tabs of one device have connections of their own.
  return { ...engine, close() {} };
}

describe('a replica of IndexedDB and a shared store', () => {
  const behaviours = storeContract(
    (name) =>
      createSyncedStore({
        local: createIndexedDBStore({ name }),
        remote: createRemote(engineOf(name)),
        device: 'phone',
      }),
    { dispose: deleteDB },
  );
  for (const { name, run } of behaviours) {
    // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
    test(name, () => expect(run()).resolves.toBeUndefined());
  }
});

describe('a synced store of IndexedDB without a remote store', () => {
  const behaviours = storeContract(
    (name) => createSyncedStore({ local: createIndexedDBStore({ name: `${name} alone` }) }),
    { dispose: (name) => deleteDB(`${name} alone`) },
  );
  for (const { name, run } of behaviours) {
    // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
    test(name, () => expect(run()).resolves.toBeUndefined());
  }
});
