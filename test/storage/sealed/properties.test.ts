import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import fc from 'fast-check';
import { deleteDB } from 'idb';
import { expect, test } from 'vitest';
import { aesCodec } from '../../support/codec.ts';
import { spoilIndexedDB } from '../../support/faulty-indexeddb.ts';
import { seeded } from '../../support/seeded.ts';
import { storeIsAnArray } from '../properties/store.ts';

const codec = await aesCodec();

test('a store with a codec equals a plain array', { timeout: 120_000 }, async () => {
  const setUp = () => {
    const name = `sealed-${crypto.randomUUID()}`;
    const { arm, restore } = spoilIndexedDB();
    const reopen = (): ReturnType<typeof createIndexedDBStore> => createIndexedDBStore({ name, codec });
    async function tearDown(): Promise<void> {
      restore();
      await deleteDB(name);
    }
    return { store: reopen(), reopen, arm, tearDown };
  };
  await expect(fc.assert(storeIsAnArray(setUp), seeded(200))).resolves.toBeUndefined();
});
