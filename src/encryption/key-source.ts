/** Where a codec has its key from: a key for HKDF with the usage `deriveKey`. */
export interface KeySource {
  /** Returns the key if it can be used at this moment. */
  readonly get: () => CryptoKey | undefined;
  /** Rejects with AgentError `STORAGE_LOCKED` where the key cannot be used. */
  readonly request: () => Promise<CryptoKey>;
}
