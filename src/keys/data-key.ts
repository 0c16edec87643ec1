import { importKey } from './seal.ts';

/** By data key: the same bits as a key for HKDF, because WebCrypto allows one algorithm a key. */
const roots = new WeakMap<CryptoKey, CryptoKey>();

/** Returns the data key of a vault; further keys can be derived from it. */
export async function importDataKey(bytes: ArrayBuffer): Promise<CryptoKey> {
  const [dataKey, root] = await Promise.all([
    importKey(bytes),
    crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']),
  ]);
  roots.set(dataKey, root);
  return dataKey;
}

/** Lets further keys be derived from a data key that another tab has handed over, with its root. */
export function adoptDataKey(dataKey: CryptoKey, root: CryptoKey): void {
  roots.set(dataKey, root);
}

/** Returns the key from which further keys are derived. */
export function rootOf(dataKey: CryptoKey): CryptoKey | undefined {
  return roots.get(dataKey);
}
