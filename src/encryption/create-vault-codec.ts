import { fail } from '../core/error.ts';
import { vaultKey, type WithVaultKey } from '../keys/vault-key.ts';
import type { Vault } from '../keys/vault-types.ts';
import type { StoreCodec } from '../storage/store-codec.ts';
import { codecOf } from './codec-of.ts';
import { createVaultKeySource } from './vault-key-source.ts';

/**
 * Returns the `codec` option of `createIndexedDBStore`: sessions are encrypted with a key that is derived from the one that encrypts the
 * stored keys of the vault. Reads and writes of the store count as uses of the vault.
 *
 * While the vault is locked, or stores no keys, the store calls the vault's `onLocked`, then rejects with `STORAGE_LOCKED`; a session
 * repeats its writes until the vault is unlocked.
 *
 * @throws AgentError `INVALID_CONFIG` for an object that `createVault` has not made
 * @example
 * const vault = createVault({ onLocked: askForPassphrase });
 * const store = createIndexedDBStore({ codec: createVaultCodec(vault) });
 */
export function createVaultCodec(vault: Vault & WithVaultKey): StoreCodec {
  const { [vaultKey]: key = fail('INVALID_CONFIG', 'Only a vault of createVault has a key for sessions.') } = vault;
  return codecOf(createVaultKeySource(key));
}
