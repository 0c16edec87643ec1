import { deleteDB } from 'idb';
import { createIndexedDBStore } from 'brooklet/storage';
import { storeContract } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';

describe('the IndexedDB store in a browser', () => {
  for (const { name, run } of storeContract((name) => createIndexedDBStore({ name }), { dispose: deleteDB })) {
    // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
    test(name, () => expect(run()).resolves.toBeUndefined());
  }
});
