import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import { storeContract } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';

describe('the memory store', () => {
  const behaviours = storeContract(() => createMemoryStore(), {
    unsupported: ['persistence', 'sharing', 'announcing'],
  });
  for (const { name, run, skipped } of behaviours) {
    if (skipped !== undefined) continue;
    // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
    test(name, () => expect(run()).resolves.toBeUndefined());
  }
});

describe('the IndexedDB store', () => {
  for (const { name, run } of storeContract((name) => createIndexedDBStore({ name }), { dispose: deleteDB })) {
    // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
    test(name, () => expect(run()).resolves.toBeUndefined());
  }
});

describe('the contract', () => {
  test('marks behaviours of unsupported features as skipped, which fail when they are run', async () => {
    const behaviours = storeContract(() => createMemoryStore(), { unsupported: ['persistence'] });
    const skipped = behaviours.filter((behaviour) => behaviour.skipped !== undefined);
    expect(skipped.map((behaviour) => behaviour.skipped)).toEqual(
      Array(6).fill('the store does not offer persistence'),
    );
    await expect(skipped[0]?.run()).rejects.toThrow('expected');
  });

  test('has at least 60 behaviours, each with a name of its own', () => {
    const names = storeContract(() => createMemoryStore()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });
});
