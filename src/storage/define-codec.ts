import { lazy } from '../core/lazy.ts';
import type { SessionCodec } from './codec.ts';
import { createSealedStore } from './sealed/sealed-store.ts';
import type { StoreCodec } from './store-codec.ts';

/**
 * Makes a codec of your own usable by `createIndexedDBStore`. `createVaultCodec` and `createAesCodec` are ready codecs.
 *
 * @example
 * const store = createIndexedDBStore({ codec: defineCodec({ id: 'my-codec', encode, decode, nameOf }) });
 */
export function defineCodec(codec: SessionCodec): StoreCodec {
  return { loadCodec: async () => codec, load: lazy(async () => createSealedStore(codec)) };
}
