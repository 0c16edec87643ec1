import { createIndexedDBStore } from 'brooklet/storage';
import fc from 'fast-check';
import { deleteDB } from 'idb';
import { expect, test } from 'vitest';
import { storeIsAnArray } from './properties/store.ts';
import { seeded } from '../support/seeded.ts';

test('the IndexedDB store of a real browser equals a plain array', { timeout: 120_000 }, async () => {
  const setUp = () => {
    const name = `model-${crypto.randomUUID()}`;
    const reopen = (): ReturnType<typeof createIndexedDBStore> => createIndexedDBStore({ name });
    // Transactions of a real browser cannot be made to fail; all else is as in Node.
    return { store: reopen(), reopen, arm() {}, tearDown: () => deleteDB(name) };
  };
  await expect(fc.assert(storeIsAnArray(setUp), seeded(60))).resolves.toBeUndefined();
});
