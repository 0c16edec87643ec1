import type { CodecBytes } from '../../storage/codec.ts';
import { createGhash, type Ghash } from './ghash.ts';
import { createPads, type Pads } from './pads.ts';

/** What a codec derives from its key. */
export interface AesKeys {
  readonly cipher: CryptoKey;
  readonly names: CryptoKey;
  /** Identifies the key that has encrypted a row: 8 bytes. */
  readonly keyId: CodecBytes;
  readonly pads: Pads;
  readonly ghash: Ghash;
}

/** @param root a key for HKDF, with the usage `deriveKey` */
export async function deriveAesKeys(root: CryptoKey): Promise<AesKeys> {
  const { subtle } = crypto;
  const [cipher, counter, names] = await Promise.all([
    derive(root, 'rows', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    // The same bits: WebCrypto allows one algorithm a key.
    derive(root, 'rows', { name: 'AES-CTR', length: 256 }, ['encrypt']),
    derive(root, 'names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ]);
  const [pads, subkey, id] = await Promise.all([
    createPads(counter),
    subtle.encrypt({ name: 'AES-CTR', counter: new Uint8Array(16), length: 128 }, counter, new Uint8Array(16)),
    // No JSON begins like this, so that no attachment has this name.
    subtle.sign('HMAC', names, new TextEncoder().encode('key id')),
  ]);
  return { cipher, names, keyId: new Uint8Array(id.slice(0, 8)), pads, ghash: createGhash(new Uint8Array(subkey)) };
}

function derive(
  root: CryptoKey,
  purpose: string,
  type: AesKeyGenParams | HmacKeyGenParams,
  usages: readonly KeyUsage[],
): Promise<CryptoKey> {
  const info = new TextEncoder().encode(`brooklet sessions: ${purpose}`);
  const from = { name: 'HKDF', hash: 'SHA-256', salt: new ArrayBuffer(0), info };
  return crypto.subtle.deriveKey(from, root, type, false, [...usages]);
}
