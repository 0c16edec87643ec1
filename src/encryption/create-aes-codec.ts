import { fail } from '../core/error.ts';
import type { StoreCodec } from '../storage/store-codec.ts';
import { codecOf } from './codec-of.ts';

/**
 * Creates a codec for `createIndexedDBStore` that encrypts with AES-256-GCM. `createVaultCodec` is the same with the key of a vault.
 *
 * @param key for HKDF, with the usage `deriveKey`; at least 32 random bytes. A page that loses the key loses the sessions
 * @throws AgentError `INVALID_CONFIG` for a key of another kind
 * @example
 * const key = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
 * const store = createIndexedDBStore({ codec: createAesCodec(key) });
 */
export function createAesCodec(key: CryptoKey): StoreCodec {
  if (key.algorithm.name !== 'HKDF' || !key.usages.includes('deriveKey'))
    fail('INVALID_CONFIG', 'The key of a codec is a CryptoKey for HKDF with the usage deriveKey.');
  return codecOf({ get: () => key, request: async () => key });
}
