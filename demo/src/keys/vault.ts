import { createVault, type VaultKey, type VaultState } from 'brooklet/keys';
import { useKeys } from 'brooklet/react';
import { autoLock, toMs } from './autoLock.ts';

/** The keys of the user, each under the origin that it is for: unlocked once for all tabs. The only place that contains a key. */
export const vault = createVault({ name: 'brooklet-studio-keys', autoLock: toMs(autoLock.get()), shared: true });

autoLock.value$.subscribe((minutes) => vault.setAutoLock(toMs(minutes)));

export function useVault(): VaultState {
  return useKeys(vault);
}

/** Returns what may be shown of the key that the vault has for the address of a model. Tokens of servers have other ids. */
export function keyFor({ keys }: VaultState, baseURL: string): VaultKey | undefined {
  if (!URL.canParse(baseURL)) return undefined;
  const { origin } = new URL(baseURL);
  return keys.find(({ id }) => id === origin);
}

/** Whether stored keys have to be unlocked: those of this tab, or those that another tab has stored meanwhile. */
export function needsUnlocking({ status, locks }: VaultState): boolean {
  return status === 'locked' || (status === 'memory' && locks.length > 0);
}
