/** The key under which a vault has what a codec needs of it. Registered, so that the vault may come from another copy of the package. */
export const vaultKey: unique symbol = Symbol.for('brooklet.vault');

/** A vault as a codec uses it. */
export interface VaultKey {
  /** Returns the key from which others are derived, if the vault stores keys and is not locked: a use of the vault. */
  readonly get: () => CryptoKey | undefined;
  readonly isLocked: () => boolean;
  /** Resolves when the changes of the vault that have begun are done. */
  readonly settled: () => Promise<unknown>;
  readonly onLocked: (() => void | Promise<void>) | undefined;
}

/** A vault that `createVault` may have made. */
export interface WithVaultKey {
  readonly [vaultKey]?: VaultKey;
}
