import type {
  DecryptStoredOptions,
  DecryptStoredReport,
  EncryptStoredOptions,
  EncryptStoredReport,
  SessionCodec,
} from './codec.ts';
import type { DatabaseStoreOptions } from './indexeddb/database-store.ts';
import type { FallbackStore } from './indexeddb/memory-fallback.ts';

/** What `createIndexedDBStore` takes as `codec` and `createNatsStore` as `encrypt`: a codec, and the code of a store that uses it. */
export interface StoreCodec {
  /** Rejects where the page loads the codec itself and cannot. */
  readonly load: () => Promise<SealedStore>;
  /** The codec alone. Rejects as `load` does. */
  readonly loadCodec: () => Promise<SessionCodec>;
}

/** The code of a store with a codec. */
export interface SealedStore {
  readonly createDatabaseStore: (options: DatabaseStoreOptions) => FallbackStore;
  readonly encryptStored: (options: EncryptStoredOptions) => Promise<EncryptStoredReport>;
  readonly decryptStored: (options: DecryptStoredOptions) => Promise<DecryptStoredReport>;
}
