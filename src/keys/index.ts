export { createVault } from './create-vault.ts';
export type { Vault, VaultKey, VaultOptions, VaultState, VaultStatus } from './vault-types.ts';
