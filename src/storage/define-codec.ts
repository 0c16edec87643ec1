import { lazy } from '../core/lazy.ts';
import type { SessionCodec } from './codec.ts';
import type { StoreCodec } from './store-codec.ts';

/**
 * Makes a codec of your own usable by `createIndexedDBStore`. `createVaultCodec` and `createAesCodec` are ready codecs.
 *
 * @example
 * const store = createIndexedDBStore({ codec: defineCodec({ id: 'my-codec', encode, encodeNow, decode, nameOf }) });
 */
export function defineCodec(codec: SessionCodec): StoreCodec {
  return deferredCodec(async () => codec);
}

/** As `defineCodec`, with a codec whose code is loaded with that of the store. */
export function deferredCodec(loadCodec: () => Promise<SessionCodec>): StoreCodec {
  const loadOnce = lazy(loadCodec);
  return {
    loadCodec: loadOnce,
    load: lazy(async () => {
      const [codec, { createSealedStore }, databaseStore] = await Promise.all([
        loadOnce(),
        import('./sealed/sealed-store.ts'),
        import('./indexeddb/database-store.ts'),
      ]);
      return createSealedStore(codec, databaseStore);
    }),
  };
}
