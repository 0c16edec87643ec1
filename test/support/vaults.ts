import { createVault, type Vault, type VaultOptions } from 'brooklet/keys';
import { afterEach, beforeEach } from 'vitest';

/** The vaults that a test opens. */
export interface Vaults {
  /** Returns the name of the database of this test. */
  database(): string;
  /** Opens the vault of a tab: a second one is another tab, or a page after a reload. */
  openVault(options?: VaultOptions): Vault;
  /** Closes all vaults that this test has opened. */
  closeAll(): Promise<void>;
}

/**
 * Gives each test of a file a database of its own, and closes its vaults after it.
 *
 * @param defaults options of every vault, which `openVault` may overwrite
 */
export function setVaults(defaults: VaultOptions = {}): Vaults {
  let name: string;
  let vaults: Vault[];

  beforeEach(() => {
    name = `keys-${crypto.randomUUID()}`;
    vaults = [];
  });

  const closeAll = async (): Promise<void> => {
    await Promise.all(vaults.map((vault) => vault.dispose()));
  };
  afterEach(closeAll);

  return {
    database: () => name,
    openVault(options = {}) {
      const vault = createVault({ name, ...defaults, ...options });
      vaults.push(vault);
      return vault;
    },
    closeAll,
  };
}
