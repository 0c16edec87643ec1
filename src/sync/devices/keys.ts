import { fromBase64Url, toBase64Url } from '../../core/base64url.ts';
import { fail } from '../../core/error.ts';

/** P-256 with SHA-256: every browser that this package supports has it; Chromium has Ed25519 since version 137. */
const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const signing = { name: 'ECDSA', hash: 'SHA-256' };

function subtle(): SubtleCrypto {
  return globalThis.crypto?.subtle ?? fail('STORAGE_UNAVAILABLE', 'The browser signs on https: and localhost only.');
}

/** @param isPortable whether the private key can be exported; that of a device cannot */
export function createKeyPair(isPortable: boolean): Promise<CryptoKeyPair> {
  return subtle().generateKey(curve, isPortable, ['sign', 'verify']);
}

export async function signText(key: CryptoKey, text: string): Promise<string> {
  return toBase64Url(await subtle().sign(signing, key, new TextEncoder().encode(text)));
}

/** Resolves with whether the signature is that of the key, which is 65 bytes in base64url, over the text. */
export async function isSignature(publicKey: string, text: string, signature: string): Promise<boolean> {
  const [key, bytes] = [fromBase64Url(publicKey), fromBase64Url(signature)];
  if (!key || !bytes) return false;
  try {
    const imported = await subtle().importKey('raw', key, curve, false, ['verify']);
    return await subtle().verify(signing, imported, bytes, new TextEncoder().encode(text));
  } catch {
    // The text is not a key.
    return false;
  }
}

/** Resolves with the public key as text, and with the id that follows from it. */
export async function publicOf({ publicKey }: CryptoKeyPair): Promise<{ readonly id: string; readonly key: string }> {
  const key = toBase64Url(await subtle().exportKey('raw', publicKey));
  return { id: await idOf(key), key };
}

/** Resolves with the id of a public key: half of its SHA-256. */
export async function idOf(publicKey: string): Promise<string> {
  return (await hashOf(publicKey)).slice(0, 22);
}

export async function hashOf(text: string): Promise<string> {
  return toBase64Url(await subtle().digest('SHA-256', new TextEncoder().encode(text)));
}

export async function exportPrivate({ privateKey }: CryptoKeyPair): Promise<ArrayBuffer> {
  return subtle().exportKey('pkcs8', privateKey);
}

/** Resolves with `undefined` for bytes that are not a private key. */
export async function importPrivate(bytes: BufferSource): Promise<CryptoKey | undefined> {
  try {
    return await subtle().importKey('pkcs8', bytes, curve, false, ['sign']);
  } catch {
    return undefined;
  }
}
