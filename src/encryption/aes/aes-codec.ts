import { AgentError } from '../../core/error.ts';
import type { CodecBytes, SessionCodec } from '../../storage/codec.ts';
import type { KeySource } from '../key-source.ts';
import { type AesKeys, deriveAesKeys } from './aes-keys.ts';
import { decryptRow, encryptRow, isOwnRow } from './row.ts';

/** AES-256-GCM with keys that HKDF-SHA-256 derives from the key of a source. */
export function createAesSessionCodec(source: KeySource): SessionCodec {
  /** By key of the source: a locked source no longer has its key, and what was derived from it is gone with it. */
  const deriving = new WeakMap<CryptoKey, Promise<AesKeys>>();
  const derived = new WeakMap<CryptoKey, AesKeys>();

  function keysOf(root: CryptoKey): Promise<AesKeys> {
    let keys = deriving.get(root);
    if (keys === undefined) {
      keys = deriveAesKeys(root);
      deriving.set(root, keys);
      keys.then(
        (made) => derived.set(root, made),
        () => deriving.delete(root),
      );
    }
    return keys;
  }

  async function requestKeys(): Promise<AesKeys> {
    return keysOf(await source.request());
  }

  /** Returns the keys that can be used at this moment. */
  function keysNow(): AesKeys | undefined {
    const root = source.get();
    return root && derived.get(root);
  }

  /** Derives the keys before the first write. A failure is reported by the method that needs the keys. */
  const first = source.get();
  if (first) keysOf(first).catch(() => {});

  return {
    id: 'aes-256-gcm',
    encode: async (bytes, context) => encryptRow(keysNow() ?? (await requestKeys()), bytes, context),
    async decode(bytes, context) {
      const keys = await requestKeys();
      if (!isOwnRow(keys, bytes)) throw otherKey();
      return decryptRow(keys, bytes, context);
    },
    async nameOf(bytes) {
      const { names } = await requestKeys();
      return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', names, bytes)));
    },
  };
}

function otherKey(): AgentError {
  return new AgentError('The session is encrypted with another key, or by a newer version of this page.', {
    code: 'STORAGE_LOCKED',
  });
}

function toHex(bytes: CodecBytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
