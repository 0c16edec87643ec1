import { AgentError, type AgentErrorCode } from '../../index.ts';
import type { Vault, VaultState } from '../../keys/index.ts';
import type { Provider } from '../../llm/providers/index.ts';
import type { ReadyKey } from './props.ts';
import { lastFourOf, releaseTo } from './typedKey.ts';

interface Saving {
  readonly provider: Provider;
  readonly baseURL: string;
  readonly origin: string;
  readonly keyId: string;
  /** Empty where the service needs none. */
  readonly key: string;
  readonly keep: 'tab' | 'device';
  readonly vault: Vault | undefined;
  readonly locks: VaultState['locks'];
  /** For a vault that has stored nothing yet. */
  readonly passphrase: string;
  /** Names the passkey that unlocks the vault, too; `undefined`: none does. */
  readonly passkeyOf: string | undefined;
}

/** What was saved. */
export interface Saved {
  /** A key that the vault does not have: it is in the memory of this tab only. */
  readonly own?: ReadyKey;
  /** Why no passkey was added. */
  readonly withoutPasskey?: AgentErrorCode;
}

/**
 * Keeps a key where the person has chosen. A key of this tab is in the vault only while the vault stores nothing: otherwise the vault would
 * write it to the disk. Rejects with the AgentError of the vault; the key is then nowhere.
 */
export async function saveKey(saving: Saving): Promise<Saved> {
  const { provider, baseURL, origin, keyId, key, keep, vault, locks, passphrase, passkeyOf } = saving;
  const isStored = locks.length > 0;
  if (!vault || key === '' || (keep === 'tab' && isStored)) {
    const own = { provider, baseURL, keep: 'tab' as const };
    return { own: key === '' ? own : { ...own, apiKey: releaseTo(origin, key), lastFour: lastFourOf(key) } };
  }
  // First: where the browser cannot store, no key has been added.
  if (keep === 'device' && !isStored) await vault.protect(passphrase);
  await vault.add(keyId, key, { baseURL });
  if (keep === 'tab' || isStored || passkeyOf === undefined) return {};
  try {
    await vault.addPasskey(passphrase, { userName: passkeyOf });
    return {};
  } catch (thrown) {
    return { withoutPasskey: thrown instanceof AgentError ? thrown.code : 'UNKNOWN' };
  }
}
