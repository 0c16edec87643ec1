import type { Observable } from 'rxjs';
import type { Ports } from '../core/ports.ts';

/** A key of a vault, as a page may show it. Invariant: it contains at most the last four characters of the key. */
export interface VaultKey {
  readonly id: string;
  /** The only origin that receives the key. */
  readonly origin: string;
  /** ms since the epoch */
  readonly addedAt: number;
  /** The last four characters, of a key of at least 20 characters, while the vault is not locked. */
  readonly lastFour?: string;
}

/**
 * Where the keys are: `memory` (of this tab, gone with the page), `open` (stored encrypted, and usable in this tab), `locked` (stored
 * encrypted, not usable). `opening` until the disk has been read.
 */
export type VaultStatus = 'opening' | 'memory' | 'open' | 'locked';

/** What a page may show of a vault. */
export interface VaultState {
  readonly status: VaultStatus;
  readonly keys: readonly VaultKey[];
  /** What unlocks the stored keys. */
  readonly locks: readonly ('passphrase' | 'passkey')[];
}

/** Options of `createVault`. */
export interface VaultOptions {
  /** Name of the database. Default: `brooklet-keys`. */
  readonly name?: string;
  /** ms without a request after which stored keys are locked. Default: 15 minutes; `Infinity`: never. */
  readonly autoLock?: number;
  /**
   * Called when a request needs a locked key, or a store with `createVaultCodec` an encrypted session: shows a form that calls `unlock`, for example.
   * The request waits for the promise, then fails with `AUTHENTICATION_LOCKED` (a store with `STORAGE_LOCKED`) if the vault is still locked.
   */
  readonly onLocked?: () => void | Promise<void>;
  /**
   * Whether the tabs of the origin unlock and lock together. Default: `false`, each by itself. An unlocked tab hands its key to the others and to
   * each new one as a non-extractable `CryptoKey`, never its bytes; `lock()` locks all tabs, and `autoLock` counts from the last use in any of them.
   * Keys that are in the memory of a tab only stay in that tab. Where a browser has no `BroadcastChannel`, or cannot send it a key, each tab
   * unlocks by itself.
   */
  readonly shared?: boolean;
  /** Replaces clock and timers, for tests. */
  readonly ports?: Partial<Pick<Ports, 'now' | 'delay'>>;
}

/**
 * Keeps the keys of a person: in the memory of this tab, and on request on the disk, encrypted. No method returns a key: a key is released
 * to the clients of this page, for requests to its own origin only.
 *
 * Methods reject with AgentError: `INVALID_INPUT` for a wrong argument, `AUTHENTICATION_LOCKED` where the keys have to be unlocked first,
 * and of type `STORAGE` where the browser cannot store or encrypt.
 */
export interface Vault {
  readonly state$: Observable<VaultState>;
  readonly getState: () => VaultState;
  /** Adds or replaces a key. `baseURL`: of the client that will use the key. */
  add(id: string, key: string, options: { readonly baseURL: string }): Promise<void>;
  /** Resolves with whether the key existed. */
  remove(id: string): Promise<boolean>;
  /**
   * Returns the `apiKey` option of a client. Its requests fail with `AUTHENTICATION_LOCKED` while the vault is locked, and with
   * `AUTHENTICATION_FAILED` where the vault has no such key, or has it for another origin; `session.resume()` continues later.
   */
  keyFor(id: string): {
    (origin: string): Promise<string>;
    /** Emits whether the vault is locked, or not read yet: the present value on subscription, then each change. Planned prompts wait for it. */
    readonly locked$: Observable<boolean>;
  };
  /** Stores the keys of this tab, encrypted with a passphrase of at least 8 characters. From then on, changes are stored. */
  protect(passphrase: string): Promise<void>;
  /** Rejects with `AUTHENTICATION_FAILED` where the passphrase is wrong. */
  unlock(passphrase: string): Promise<void>;
  /**
   * Erases the disk, and keeps the keys in the memory of this tab only. Rejects with `AUTHENTICATION_LOCKED` while they are locked.
   * Sessions that are encrypted with `createVaultCodec` can never be read again: call `decryptStored` first.
   */
  unprotect(): Promise<void>;
  /** Forgets stored keys in this tab, with the option `shared` in every tab. Keys that are in memory only stay. */
  lock(): void;
  /** Replaces `autoLock` in this tab, and in a worker that has the vault. Locks at once where the last use is longer ago. @throws AgentError `INVALID_CONFIG` */
  setAutoLock(ms: number): void;
  /** Rejects with `AUTHENTICATION_FAILED` where `current` is wrong. The former passphrase no longer unlocks. */
  changePassphrase(current: string, next: string): Promise<void>;
  /** Lets a passkey unlock the stored keys, too; the browser asks the person. `userName` names the passkey in the list of the device. */
  addPasskey(passphrase: string, options: { readonly userName: string }): Promise<void>;
  /** Rejects with `ABORTED` where the person declined, and with `INVALID_CONFIG` where no passkey can be used. */
  unlockWithPasskey(): Promise<void>;
  /** Erases all keys, in this tab and on the disk. Sessions that were encrypted with `createVaultCodec` can never be read again. */
  forget(): Promise<void>;
  /** Stops timers and closes the database. */
  dispose(): Promise<void>;
}
