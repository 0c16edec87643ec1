import type { KeySource } from './key-source.ts';
import type { StoreCodec } from '../storage/store-codec.ts';
import { defineCodec } from '../storage/define-codec.ts';
import { createAesSessionCodec } from './aes/aes-codec.ts';

/** Returns the codec with the key of a source. */
export function codecOf(source: KeySource): StoreCodec {
  return defineCodec(createAesSessionCodec(source));
}
