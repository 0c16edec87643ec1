import { lazy } from '../core/lazy.ts';
import type { SessionCodec } from './codec.ts';
import type { StoreCodec, SealedStore } from './store-codec.ts';
import { createDatabaseStore } from './indexeddb/database-store.ts';
import { decryptStored } from './sealed/decrypt-stored.ts';
import { encryptStored } from './sealed/encrypt-stored.ts';
import { createSealer } from './sealed/sealer.ts';
import { createSealedTables } from './sealed/tables.ts';

/**
 * Makes a codec of your own usable by `createIndexedDBStore`. `createVaultCodec` and `createAesCodec` are ready codecs.
 *
 * @example
 * const store = createIndexedDBStore({ codec: defineCodec({ id: 'my-codec', encode, decode, nameOf }) });
 */
export function defineCodec(codec: SessionCodec): StoreCodec {
  return { loadCodec: async () => codec, load: lazy(async () => createSealedStore(codec)) };
}

/** Returns the store of IndexedDB with tables whose rows are encrypted. */
function createSealedStore(codec: SessionCodec): SealedStore {
  const sealer = createSealer(codec);
  return {
    createDatabaseStore: (options) =>
      createDatabaseStore(options, (disk, undoWindow) => createSealedTables(disk, { sealer, undoWindow })),
    encryptStored: (options) => encryptStored(sealer, options),
    decryptStored: (options) => decryptStored(sealer, options),
  };
}
