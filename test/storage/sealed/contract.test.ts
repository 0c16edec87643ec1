import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { createIndexedDBStore } from 'brooklet/storage';
import { storeContract } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { aesCodec } from '../../support/codec.ts';

const codec = await aesCodec();

describe('the IndexedDB store with a codec', () => {
  for (const { name, run } of storeContract((name) => createIndexedDBStore({ name, codec }), { dispose: deleteDB })) {
    // oxlint-disable-next-line vitest/valid-title -- the suite names its tests
    test(name, () => expect(run()).resolves.toBeUndefined());
  }
});
