import type { Check } from './vet.ts';

/** A device of the list. */
interface ListedDevice {
  /** Its public key. */
  readonly key: string;
  readonly name: string;
  readonly isRemoved: boolean;
}

export interface CheckOptions {
  readonly self: { readonly id: string; readonly key: string };
  /** Resolves with the device of an id in the present list. */
  readonly find: (id: string) => Promise<ListedDevice | undefined>;
  readonly isSignature: (key: string, text: string, signature: string) => Promise<boolean>;
}

/** Returns the check of signatures. Invariant: besides its own, a device counts only signatures of devices that are in the list now. */
export function createCheck({ self, find, isSignature }: CheckOptions): Check {
  return async (statement, { device, signature }) => {
    // Without the list: a page opens offline.
    if (device === self.id) return (await isSignature(self.key, statement, signature)) ? {} : { why: 'invalid' };
    const signer = await find(device);
    if (signer === undefined) return { why: 'unknown-device' };
    if (!(await isSignature(signer.key, statement, signature))) return { why: 'invalid' };
    return signer.isRemoved ? { why: 'removed-device', device: signer.name } : { device: signer.name };
  };
}
