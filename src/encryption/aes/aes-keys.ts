import type { CodecBytes } from '../../storage/codec.ts';

/** What a codec derives from its key. */
export interface AesKeys {
  readonly cipher: CryptoKey;
  readonly names: CryptoKey;
  /** Identifies the key that has encrypted a row: 8 bytes. */
  readonly keyId: CodecBytes;
}

/** @param root a key for HKDF, with the usage `deriveKey` */
export async function deriveAesKeys(root: CryptoKey): Promise<AesKeys> {
  const [cipher, names] = await Promise.all([
    derive(root, 'rows', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    derive(root, 'names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ]);
  // No JSON begins like this, so that no attachment has this name.
  const id = await crypto.subtle.sign('HMAC', names, new TextEncoder().encode('key id'));
  return { cipher, names, keyId: new Uint8Array(id.slice(0, 8)) };
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
