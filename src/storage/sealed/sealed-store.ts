import type { SessionCodec } from '../codec.ts';
import { createDatabaseStore } from '../indexeddb/database-store.ts';
import type { SealedStore } from '../store-codec.ts';
import { decryptStored } from './decrypt-stored.ts';
import { encryptStored } from './encrypt-stored.ts';
import { createSealer } from './sealer.ts';
import { createSealedTables } from './tables.ts';

/** Returns the store of IndexedDB with tables whose rows are encrypted. */
export function createSealedStore(codec: SessionCodec): SealedStore {
  const sealer = createSealer(codec);
  return {
    createDatabaseStore: (options) =>
      createDatabaseStore(options, (disk, undoWindow) => createSealedTables(disk, { sealer, undoWindow })),
    encryptStored: (options) => encryptStored(sealer, options),
    decryptStored: (options) => decryptStored(sealer, options),
  };
}
