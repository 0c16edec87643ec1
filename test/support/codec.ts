import { createAesCodec } from 'brooklet/encryption';
import type { StoreCodec } from 'brooklet/encryption';

/** A key for codecs, made of 32 equal bytes. */
export function codecKey(byte = 7): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new Uint8Array(32).fill(byte), 'HKDF', false, ['deriveKey']);
}

export async function aesCodec(byte?: number): Promise<StoreCodec> {
  return createAesCodec(await codecKey(byte));
}
