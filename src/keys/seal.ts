import { AgentError, fail } from '../core/error.ts';
import type { Json } from '../core/json.ts';

/** Bytes encrypted with AES-GCM, and the initialization vector of this encryption. */
export interface Sealed {
  readonly iv: ArrayBuffer;
  readonly data: ArrayBuffer;
}

const algorithm = 'AES-GCM';

/** Rounds of PBKDF2-SHA256 for new passphrases, and the most that a stored record may ask for. */
export const rounds = 600_000;
export const mostRounds = 10_000_000;

/** @throws AgentError `STORAGE_UNAVAILABLE` where the browser offers no encryption (a page without HTTPS) */
function subtle(): SubtleCrypto {
  return (
    globalThis.crypto?.subtle ??
    fail(
      'STORAGE_UNAVAILABLE',
      'The browser encrypts on https: and localhost only: keys stay in the memory of this tab.',
    )
  );
}

export function randomBytes(count: number): ArrayBuffer {
  return crypto.getRandomValues(new Uint8Array(count)).buffer;
}

/** Returns the key that a passphrase makes. Two spellings of the same characters in Unicode make the same key. */
export async function keyOfPassphrase(passphrase: string, salt: ArrayBuffer, iterations: number): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const material = await subtle().importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  return subtle().deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    material,
    { name: algorithm, length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Returns the key that the secret of a passkey makes. */
export async function keyOfSecret(secret: BufferSource): Promise<CryptoKey> {
  const material = await subtle().importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode('brooklet vault');
  return subtle().deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new ArrayBuffer(0), info },
    material,
    { name: algorithm, length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Returns an encryption key that no script can read. */
export function importKey(bytes: ArrayBuffer): Promise<CryptoKey> {
  return subtle().importKey('raw', bytes, algorithm, false, ['encrypt', 'decrypt']);
}

/** Encrypts bytes. `purpose` is authenticated: bytes that were sealed for another purpose do not open. */
export async function seal(key: CryptoKey, purpose: string, bytes: BufferSource): Promise<Sealed> {
  const iv = randomBytes(12);
  return { iv, data: await subtle().encrypt(parameters(iv, purpose), key, bytes) };
}

/** Decrypts bytes. Resolves with `undefined` where the key, the purpose or the bytes are not those of the encryption. */
export async function unseal(key: CryptoKey, purpose: string, { iv, data }: Sealed): Promise<ArrayBuffer | undefined> {
  try {
    return await subtle().decrypt(parameters(iv, purpose), key, data);
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    return undefined;
  }
}

function parameters(iv: ArrayBuffer, purpose: string): AesGcmParams {
  return { name: algorithm, iv, additionalData: new TextEncoder().encode(purpose) };
}

export function toBytes(value: Json): BufferSource {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function fromBytes(bytes: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
