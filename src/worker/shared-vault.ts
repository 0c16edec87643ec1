import { fail } from '../core/error.ts';
import { type SharedVaultKey, vaultKey, type WithVaultKey } from '../keys/vault-key.ts';
import type { Vault } from '../keys/vault-types.ts';

/** @throws AgentError `INVALID_CONFIG` for a vault that pages and worker do not unlock together */
export function sharedKeyOf(vault: Vault & WithVaultKey): SharedVaultKey {
  return (
    vault[vaultKey]?.shared ??
    fail('INVALID_CONFIG', 'The option `vault` of an agent in a worker must be one of createVault({ shared: true }).')
  );
}
