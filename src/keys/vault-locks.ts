import { fail } from '../core/error.ts';
import { createPasskey, readPasskey } from './passkey.ts';
import { keyOfPassphrase, keyOfSecret, randomBytes, rounds, seal, unseal } from './seal.ts';
import type { VaultLock, VaultRecord } from './vault-record.ts';

type PassphraseLock = Extract<VaultLock, { readonly kind: 'passphrase' }>;
type PasskeyLock = Extract<VaultLock, { readonly kind: 'passkey' }>;
/** The bytes of the key that encrypts the secrets of a vault. */
type DataKey = ArrayBuffer;

const purpose = 'brooklet vault data key';
const leastLength = 8;

/** @throws AgentError `INVALID_INPUT` */
export function checkPassphrase(passphrase: unknown): asserts passphrase is string {
  if (typeof passphrase !== 'string' || passphrase.length < leastLength)
    fail('INVALID_INPUT', `A passphrase has at least ${leastLength} characters.`);
}

export async function toPassphraseLock(dataKey: DataKey, passphrase: string): Promise<PassphraseLock> {
  const salt = randomBytes(16);
  const key = await keyOfPassphrase(passphrase, salt, rounds);
  return { kind: 'passphrase', salt, iterations: rounds, dataKey: await seal(key, purpose, dataKey) };
}

/** Creates a passkey, and uses it once: its secret is not available at its creation everywhere. */
export async function toPasskeyLock(dataKey: DataKey, userName: string): Promise<PasskeyLock> {
  const passkey = await createPasskey(userName);
  const { secret } = await readPasskey([passkey]);
  return { kind: 'passkey', ...passkey, dataKey: await seal(await keyOfSecret(secret), purpose, dataKey) };
}

/** Rejects with AgentError `AUTHENTICATION_FAILED` where the passphrase is wrong. */
export async function openWithPassphrase({ locks }: VaultRecord, passphrase: string): Promise<DataKey> {
  for (const lock of locks) {
    if (lock.kind !== 'passphrase') continue;
    const dataKey = await unseal(await keyOfPassphrase(passphrase, lock.salt, lock.iterations), purpose, lock.dataKey);
    if (dataKey) return dataKey;
  }
  return fail('AUTHENTICATION_FAILED', 'The passphrase is wrong.');
}

/** Rejects as `readPasskey` does, and with `AUTHENTICATION_FAILED` where the passkey does not unlock. */
export async function openWithPasskey({ locks }: VaultRecord): Promise<DataKey> {
  const passkeys = locks.filter((lock) => lock.kind === 'passkey');
  if (passkeys.length === 0) fail('INVALID_CONFIG', 'No passkey unlocks these keys: use the passphrase.');
  const { index, secret } = await readPasskey(passkeys);
  const sealed = passkeys[index]?.dataKey;
  const dataKey = sealed && (await unseal(await keyOfSecret(secret), purpose, sealed));
  return dataKey ?? fail('AUTHENTICATION_FAILED', 'This passkey does not unlock these keys: use the passphrase.');
}
