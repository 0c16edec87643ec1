import { AgentError } from '../core/error.ts';
import type { VaultKey } from '../keys/vault-key.ts';
import type { KeySource } from './key-source.ts';

/** Returns the key source of a vault, which asks the person once for all reads and writes that wait. */
export function createVaultKeySource({ get, isLocked, settled, onLocked }: VaultKey): KeySource {
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    await onLocked?.();
  }

  return {
    get,
    async request() {
      const open = get();
      if (open) return open;
      await settled();
      if (isLocked()) await (asking ??= ask().finally(() => (asking = undefined)));
      return get() ?? fail(isLocked() ? 'Unlock the vault, and' : 'The vault stores no keys: call protect, and');
    },
  };
}

function fail(what: string): never {
  throw new AgentError(`${what} sessions can be read and written. They are encrypted.`, {
    code: 'STORAGE_LOCKED',
    retryable: true,
  });
}
