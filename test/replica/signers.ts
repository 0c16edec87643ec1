import type { StoreMeta } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import type { DecisionGuard } from 'brooklet/sync';
import { type Devices, openDevicesOn } from '../../src/sync/devices/open-devices.ts';
import { createMemoryDisk } from '../support/device-disk.ts';

/** Devices of the package with their list, each by the name that it has in a test. */
export interface Signers {
  /** @param signsRemovals whether removals are signed and checked, too */
  guardOf(name: string, signsRemovals?: boolean): DecisionGuard;
  /** Returns the id under which a device signs. */
  idOf(name: string): string;
  /** Removes a device from the list. Resolves when the list is stored. */
  remove(name: string): Promise<void>;
  isRemoved(name: string): boolean;
}

export interface SignersOptions {
  /** Devices in the list. */
  readonly known: readonly [string, ...string[]];
  /** Devices that have the key of the store, and that no device has added. */
  readonly unknown?: readonly string[];
  /** Has the list and the statements on removals. Default: one of its own. */
  readonly meta?: StoreMeta | undefined;
}

/** Opens devices whose keys and lists are in memory. With `installImmediateCrypto` no real time passes. */
export async function createSigners({ known, unknown = [], meta }: SignersOptions): Promise<Signers> {
  const shared = meta ?? createMemoryStore().meta;
  const opened = new Map<string, Devices>();
  const removed = new Set<string>();
  const open = (name: string, how: { readonly isCreated?: boolean; readonly invitation?: string }): Promise<Devices> =>
    openDevicesOn(createMemoryDisk(), { meta: shared, name, now: () => 0, ...how });

  const [first, ...others] = known;
  const admin = await open(first, { isCreated: true });
  opened.set(first, admin);
  for (const name of others) opened.set(name, await open(name, { invitation: await admin.invite() }));
  for (const name of unknown) opened.set(name, await open(name, {}));

  const find = (name: string): Devices => {
    const devices = opened.get(name);
    if (devices === undefined) throw new Error(`The test has no device ${name}.`);
    return devices;
  };
  return {
    guardOf(name, signsRemovals = false) {
      const { sign, vet, removals } = find(name);
      return signsRemovals && removals ? { sign, vet, removals } : { sign, vet };
    },
    idOf: (name) => find(name).id,
    remove(name) {
      removed.add(name);
      return admin.remove(find(name).id);
    },
    isRemoved: (name) => removed.has(name),
  };
}
