import { lazy } from '../../core/lazy.ts';
import type { SessionCodec } from '../codec.ts';
import type { SealedStore } from '../store-codec.ts';
import type * as databaseStore from '../indexeddb/database-store.ts';
import { createSealer } from './sealer.ts';
import { createSealedTables } from './tables.ts';

const loadWays = lazy(() => import('./deferred.ts'));

/** Returns the store of `indexeddb`, with tables whose rows are encrypted. */
export function createSealedStore(
  codec: SessionCodec,
  { createDatabaseStore }: Pick<typeof databaseStore, 'createDatabaseStore'>,
): SealedStore {
  const sealer = createSealer(codec);
  return {
    createDatabaseStore: (options) =>
      createDatabaseStore(options, (disk, undoWindow) => createSealedTables(disk, { sealer, undoWindow })),
    encryptStored: async (options) => (await loadWays()).encryptStored(sealer, options),
    decryptStored: async (options) => (await loadWays()).decryptStored(sealer, options),
  };
}
