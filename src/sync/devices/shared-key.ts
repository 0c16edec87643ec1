import { named } from '../../core/model/shapes/named.ts';
import { fromBase64Url, toBase64Url } from '../../core/base64url.ts';
import { AgentError, fail } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import { randomBytes } from '../../keys/seal.ts';
import { openByPassphrase, sealByPassphrase } from '../../encryption/sealed-by-passphrase.ts';

/** Options of `openSharedKey`. */
export interface SharedKeyOptions {
  /** At least 8 characters, the same on every device. An attacker with the content of `meta` can try passphrases. */
  readonly passphrase: string;
  /** Whether a key is made where there is none. Default `true`. */
  readonly isCreated?: boolean;
}

/** The `meta` entry with the key, sealed by the passphrase. */
const entry = 'brooklet shared key';
const purpose = 'brooklet shared key';
const leastPassphrase = 8;
const size = 32;

/**
 * Resolves with the key that all devices of a remote store share, as text: 32 random bytes in base64url. The first device makes the key; the
 * store keeps it sealed by the passphrase (PBKDF2-SHA256, AES-GCM), and never sees the key itself. `importSharedKey` makes it a `CryptoKey`.
 *
 * Rejects with AgentError `AUTHENTICATION_FAILED` for a wrong passphrase, `INVALID_INPUT` for a short one, `STORAGE_CORRUPT` for a damaged
 * entry, `STORAGE_LOCKED` where there is no key and `isCreated` is `false`, and with the errors of `meta`.
 *
 * @param meta of the remote store without `encrypt`
 * @example
 * const { meta } = createNatsStore({ connection, user: 'ann' });
 * const key = await openSharedKey(meta, { passphrase });
 * const remote = createNatsStore({ connection, user: 'ann', encrypt: createAesCodec(await importSharedKey(key)) });
 */
export async function openSharedKey(meta: StoreMeta, options: SharedKeyOptions): Promise<string> {
  const { passphrase, isCreated = true } = named(options, { passphrase: true, isCreated: true }, 'openSharedKey');
  if (typeof passphrase !== 'string' || passphrase.length < leastPassphrase)
    fail('INVALID_INPUT', `The passphrase must have at least ${leastPassphrase} characters.`);
  const stored = await meta.get(entry);
  if (stored !== undefined) return toBase64Url(await openByPassphrase(stored, passphrase, purpose));
  if (!isCreated)
    throw new AgentError('The remote store has no key: another device must make one first.', {
      code: 'STORAGE_LOCKED',
      retryable: false,
    });
  const made = await sealByPassphrase(randomBytes(size), passphrase, purpose);
  let chosen: Json = made;
  // Two devices may be the first at the same time: the store chooses one of the keys.
  await meta.update(entry, (found) => (chosen = found ?? made));
  return toBase64Url(await openByPassphrase(chosen, passphrase, purpose));
}

/**
 * Returns the key of `openSharedKey` or of an invitation for `createAesCodec`.
 *
 * Rejects with AgentError `INVALID_INPUT` for a text that is not a key.
 */
export async function importSharedKey(key: string): Promise<CryptoKey> {
  const bytes = fromBase64Url(key);
  if (bytes?.length !== size) return fail('INVALID_INPUT', 'A shared key is 32 bytes in base64url.');
  return crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
}
