import type { StoreMeta } from 'brooklet/core';
import type { DecisionGuard } from 'brooklet/sync';
import { createCheck } from '../../src/sync/devices/check-signature.ts';
import { createDecisionGuard, type Signer } from '../../src/sync/devices/decision-guard.ts';
import { createRemovalGuard } from '../../src/sync/devices/removals.ts';

/** The known devices, and guards whose signatures nobody else makes: a hash with a secret of the device, made within the turn. */
export interface Signers {
  /**
   * Returns the guard of a device.
   *
   * @param isKnown whether it is in the list
   * @param meta of the remote store: then removals are signed, too
   */
  guardOf(device: string, isKnown?: boolean, meta?: StoreMeta): DecisionGuard;
  remove(device: string): void;
  isRemoved(device: string): boolean;
}

export function createSigners(): Signers {
  const secrets = new Map<string, string>();
  const known = new Set<string>();
  const removed = new Set<string>();
  const signatureOf = (device: string, statement: string): string =>
    hashOf(JSON.stringify([secrets.get(device), statement]));

  return {
    guardOf(self, isKnown = true, meta) {
      if (!secrets.has(self)) secrets.set(self, `secret ${secrets.size} of ${self}`);
      if (isKnown) known.add(self);
      const signer: Signer = {
        sign: async (statement) => ({ device: self, signature: signatureOf(self, statement) }),
        // The check of the package: only the signatures and the list are those of the test.
        check: createCheck({
          self: { id: self, key: self },
          isSignature: async (device, statement, signature) => signature === signatureOf(device, statement),
          find: async (device) =>
            known.has(device) ? { key: device, name: device, isRemoved: removed.has(device) } : undefined,
        }),
      };
      return { ...createDecisionGuard(signer), ...(meta && { removals: createRemovalGuard(signer, meta) }) };
    },
    remove: (device) => void removed.add(device),
    isRemoved: (device) => removed.has(device),
  };
}

/** 53 bits of a text (cyrb53). */
function hashOf(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  return `${(one >>> 0).toString(16)}${(other >>> 0).toString(16)}`;
}
