import type { Vault, VaultState } from '../keys/vault-types.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns which keys a vault has, where they are, and what unlocks them: see `VaultState`. No hook returns a key.
 *
 *     const { status, keys, locks } = useKeys(vault);
 */
export function useKeys({ state$, getState }: Pick<Vault, 'state$' | 'getState'>): VaultState {
  return useObservable(state$, getState);
}
