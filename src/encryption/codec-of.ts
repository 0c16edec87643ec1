import type { KeySource } from './key-source.ts';
import type { StoreCodec } from '../storage/store-codec.ts';
import { deferredCodec } from '../storage/define-codec.ts';

/** Returns the codec with the key of a source; its code is loaded with that of the store. */
export function codecOf(source: KeySource): StoreCodec {
  return deferredCodec(async () => (await import('./aes/aes-codec.ts')).createAesSessionCodec(source));
}
