import { createIndexedDBStore } from 'brooklet/storage';
import fc from 'fast-check';
import { deleteDB } from 'idb';
import { expect, test } from 'vitest';
import { storeIsAnArray } from './properties/store.ts';
import { seeded } from '../support/seeded.ts';

test('the IndexedDB store of a real browser holds what a plain array would', { timeout: 120_000 }, async () => {
  const setUp = () => {
    const name = `model-${crypto.randomUUID()}`;
    const reopen = (): ReturnType<typeof createIndexedDBStore> => createIndexedDBStore({ name });
    // Its transactions do not fail when they are told to; all the rest is as it is elsewhere.
    return { store: reopen(), reopen, arm() {}, tearDown: () => deleteDB(name) };
  };
  await expect(fc.assert(storeIsAnArray(setUp), seeded(60))).resolves.toBeUndefined();
});
