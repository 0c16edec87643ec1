/** The key under which a vault has what a codec needs of it. Registered, so that the vault may come from another copy of the package. */
export const vaultKey: unique symbol = Symbol.for('brooklet.vault');

/** The key of an unlocked vault, as one tab or worker hands it to another. Both keys are non-extractable: no script can read their bytes. */
export interface HandedKey {
  readonly dataKey: CryptoKey;
  /** The key from which others are derived. */
  readonly root: CryptoKey;
  /** ms since the epoch: when a person unlocked the vault. */
  readonly openedAt: number;
  /** ms since the epoch: the last use of the keys, from which `autoLock` counts. */
  readonly usedAt: number;
  /** ms without a use after which its tab locks. Missing from a tab of an earlier version. */
  readonly autoLock?: number;
}

/** What a vault with `shared` does for a worker and its pages. */
export interface SharedVaultKey {
  /** Returns the key that this vault can hand over, if it is unlocked. */
  readonly getHanded: () => HandedKey | undefined;
  /** Resolves when another tab has handed its key over, or the vault's `onLocked` is done. */
  readonly request: () => Promise<void>;
  /** Takes a key, unless the vault was locked after that key was unlocked. Never rejects. */
  readonly take: (handed: HandedKey) => Promise<void>;
  /** For a worker: from now on `ask` is called in the place of `onLocked`, and `autoLock` is that of the pages. */
  readonly follow: (ask: () => Promise<void>) => void;
  /** Forgets stored keys here: other tabs stay unlocked. */
  readonly drop: () => void;
}

/** A vault as a codec uses it. */
export interface VaultKey {
  /** Returns the key from which others are derived, if the vault stores keys and is not locked: a use of the vault. */
  readonly get: () => CryptoKey | undefined;
  readonly isLocked: () => boolean;
  /** Resolves when the changes of the vault that have begun are done. */
  readonly settled: () => Promise<unknown>;
  readonly onLocked: (() => void | Promise<void>) | undefined;
  /** Missing for a vault without `shared`. */
  readonly shared?: SharedVaultKey;
}

/** A vault that `createVault` may have made. */
export interface WithVaultKey {
  readonly [vaultKey]?: VaultKey;
}
