import { createVaultCodec } from 'brooklet/encryption';
import { createVault } from 'brooklet/keys';
import type { StoreCodec } from 'brooklet/encryption';

declare global {
  /** How often a locked vault has asked the person here. */
  var askedPerson: number | undefined;
}

/** The vault of a page and its worker. In a page it waits until the person has unlocked. */
export const vault = createVault({
  name: 'outliving-keys',
  shared: true,
  onLocked: () =>
    new Promise<void>((resolve) => {
      globalThis.askedPerson = (globalThis.askedPerson ?? 0) + 1;
      vault.state$.subscribe(({ status }) => status === 'open' && resolve());
    }),
});

export const codec: StoreCodec = createVaultCodec(vault);
