import { named } from '../../core/model/shapes/named.ts';
import { fromBase64Url, toBase64Url } from '../../core/base64url.ts';
import { AgentError, fail } from '../../core/error.ts';
import { isJsonObject, parseJson, toJson } from '../../core/json.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import { browserPorts } from '../../core/ports.ts';
import type { DecisionGuard } from '../decision-guard.ts';
import { openByPassphrase, sealByPassphrase } from '../../encryption/sealed-by-passphrase.ts';
import { canonical } from './canonical.ts';
import { createCheck } from './check-signature.ts';
import { createDecisionGuard, type Signer } from './decision-guard.ts';
import { createDeviceDisk, type DeviceDisk } from './device-disk.ts';
import {
  byPassphrase,
  type DeviceList,
  type ListEntry,
  type Pin,
  pinOf,
  type StoredList,
  verifyList,
  withEntry,
} from './device-list.ts';
import { createKeyPair, exportPrivate, importPrivate, isSignature, publicOf, signText } from './keys.ts';
import { createRemovalGuard } from './removals.ts';

/** Options of `openDevices`. */
export interface DevicesOptions {
  /** Of the remote store with `encrypt`: has the list. */
  readonly meta: StoreMeta;
  /** Name of this device in the list. */
  readonly name: string;
  /** Adds this device to the list: what `openSharedKey` takes. The first device makes the list. */
  readonly passphrase?: string;
  /** Adds this device to the list: `getInvitation()` of an opened invitation. */
  readonly invitation?: string | undefined;
  /** Whether a list is made where there is none. Default: with a passphrase. */
  readonly isCreated?: boolean;
  /** Name of the remote store: a device that changes between several remembers the list of each. Default: empty. */
  readonly store?: string;
  /** Name of the IndexedDB database with the key of this device. Default `brooklet-device`. */
  readonly database?: string;
  /** Clock, for tests. Returns ms since the epoch. */
  readonly now?: () => number;
}

/** A device whose decisions and removals count, or counted until it was removed. */
export interface KnownDevice {
  readonly id: string;
  readonly name: string;
  /** ms since the epoch */
  readonly addedAt: number;
  readonly isThis: boolean;
  readonly isRemoved: boolean;
}

/** The known devices of a remote store, and the key of this one: the option `devices` of `createSyncedStore`. */
export interface Devices extends DecisionGuard {
  /** Id of this device: a hash of its public key. */
  readonly id: string;
  /**
   * Resolves with all devices, in the order in which they were added. Rejects with AgentError `STORAGE_CORRUPT` where the list of the remote
   * store does not continue the one that this device knows: none of its devices has made the change. The known devices stay known.
   */
  list(): Promise<readonly KnownDevice[]>;
  /**
   * Removes a device: its decisions and removals no longer count. Rejects with AgentError `PERMISSION_DENIED` where this device is not known
   * itself.
   */
  remove(id: string): Promise<void>;
  /** Resolves with a secret that adds one device, for `inviteDevice`. Rejects as `remove` does. */
  invite(): Promise<string>;
}

/** The `meta` entry with the list. */
const entryName = 'brooklet devices';
const purpose = 'brooklet devices';
const maxName = 100;
/** How often a change is tried again because another device has changed the list. */
const tries = 8;

/**
 * Opens the list of the devices whose decisions and removals count, and the key pair of this device (ECDSA with P-256, not extractable). A
 * device is added with the passphrase or with an invitation. Without both, nothing is read yet, so that a page opens offline. A device of the list
 * or the passphrase signs every change of the list: the shared key alone cannot add a device.
 *
 * Rejects with AgentError `AUTHENTICATION_FAILED` for a wrong passphrase, `PERMISSION_DENIED` for an invitation that was used or whose device
 * was removed, or that has the secret of another one, `STORAGE_CORRUPT` for a list with a change that none of its devices has made, and with the errors of `meta` and IndexedDB.
 *
 * @example
 * const remote = createNatsStore({ connection, user: 'ann', encrypt });
 * const devices = await openDevices({ meta: remote.meta, name: "Ann's phone", passphrase });
 * const store = createSyncedStore({ local: createIndexedDBStore(), remote, device: "Ann's phone", devices });
 */
export async function openDevices(options: DevicesOptions): Promise<Devices> {
  named(
    options,
    {
      meta: true,
      name: true,
      passphrase: true,
      invitation: true,
      isCreated: true,
      store: true,
      database: true,
      now: true,
    },
    'openDevices',
  );
  return openDevicesOn(createDeviceDisk(options.database ?? 'brooklet-device'), options);
}

/** `openDevices` over what the device keeps. */
export async function openDevicesOn(disk: DeviceDisk, options: Omit<DevicesOptions, 'database'>): Promise<Devices> {
  const { meta, name, passphrase, invitation, store = '' } = options;
  const { isCreated = passphrase !== undefined, now = browserPorts.now } = options;
  if (typeof name !== 'string' || name === '' || name.length > maxName)
    fail('INVALID_INPUT', `The name of a device has 1 to ${maxName} characters.`);
  const pair = await disk.keyPair(() => createKeyPair(false));
  const { id, key } = await publicOf(pair);
  const self = { do: 'add', id, key, name } as const;
  /** The last valid list, and its text. */
  let known = await verifyList(await disk.readList(store), undefined);
  let text = known && canonical(known.stored);
  /** The public key that the passphrase has opened: from then on, only a list that this key has begun counts. */
  let passphraseKey: string | undefined;

  /** Resolves with the present list, or `undefined` where there is none. Rejects where it does not continue the known one. */
  async function read(pin: Pin | undefined = known && pinOf(known)): Promise<DeviceList | undefined> {
    const found = await meta.get(entryName);
    if (found !== undefined && canonical(found) === text) return known;
    if (found === undefined && pin === undefined) return undefined;
    const list = await verifyList(found, pin);
    if (list === undefined || (passphraseKey !== undefined && list.stored.passphrase?.key !== passphraseKey))
      return fail('STORAGE_CORRUPT', 'The list of devices has a change that none of its devices has made.');
    await remember(list);
    return list;
  }

  async function remember(list: DeviceList): Promise<void> {
    known = list;
    text = canonical(list.stored);
    await disk.writeList(store, toJson(list.stored));
  }

  /**
   * Stores a change of the list, unless another device was first. Resolves with whether it is stored.
   *
   * Invariant: only a valid list is stored: all devices would refuse any other one, for good. Rejects with AgentError `PERMISSION_DENIED` where
   * the signature does not count, or the list is full.
   */
  async function replace(before: StoredList | undefined, after: StoredList): Promise<boolean> {
    const value = toJson(after);
    const list =
      (await verifyList(value, undefined)) ??
      fail(
        'PERMISSION_DENIED',
        'The list of devices cannot take the change: its signature is wrong, or the list is full.',
      );
    const expected = before && canonical(before);
    let isStored = false;
    await meta.update(entryName, (found) => {
      isStored = (found && canonical(found)) === expected;
      return isStored ? value : found;
    });
    if (isStored) await remember(list);
    return isStored;
  }

  /** Stores one change, again if another device was first. @param toEntry returns `undefined` where the list has the change already */
  async function change(
    signer: CryptoKey,
    toEntry: (list: DeviceList) => Omit<ListEntry, 'signature' | 'at'> | undefined,
  ): Promise<void> {
    for (let nth = 0; nth < tries; nth++) {
      const list = (await read()) ?? fail('PERMISSION_DENIED', 'The remote store has no list of devices.');
      const entry = toEntry(list);
      if (entry === undefined) return;
      if (await replace(list.stored, await withEntry(list, { ...entry, at: now() }, signer))) return;
    }
    throw new AgentError('The list of devices changes faster than it can be written.', { code: 'STORAGE_CONFLICT' });
  }

  const isKnown = ({ devices }: DeviceList): boolean => devices.get(id)?.isRemoved === false;

  async function create(): Promise<void> {
    let stored: StoredList = { entries: [] };
    let signer = pair.privateKey;
    if (passphrase !== undefined) {
      const made = await createKeyPair(true);
      const sealed = await sealByPassphrase(await exportPrivate(made), passphrase, purpose);
      stored = { ...stored, passphrase: { key: (await publicOf(made)).key, sealed } };
      signer = made.privateKey;
    }
    const by = passphrase === undefined ? id : byPassphrase;
    const list = await withEntry({ stored, heads: [] }, { ...self, at: now(), by }, signer);
    // Another device may be the first at the same time.
    if (!(await replace(undefined, list))) await join();
  }

  async function join(): Promise<void> {
    if (passphrase !== undefined) return joinByPassphrase(passphrase);
    if (invitation !== undefined) return joinByInvitation(invitation);
  }

  /** Invariant: a list is neither used nor stored before the passphrase has proved that the list was made with it. */
  async function joinByPassphrase(passphrase: string): Promise<void> {
    const found = await meta.get(entryName);
    const list = await verifyList(found, known && pinOf(known));
    // There is no list, or it is not valid, which `read` reports.
    if (list === undefined) return void (await read());
    const { passphrase: lock } = list.stored;
    // Without a passphrase the first device of a list adds itself: every client with the shared key can make such a list.
    if (lock === undefined)
      return fail(
        'STORAGE_CORRUPT',
        'The list of devices was not made with a passphrase. If the list is yours, open it with an invitation; otherwise it was replaced.',
      );
    const signer = await importPrivate(await openByPassphrase(lock.sealed, passphrase, purpose));
    // An attacker may have copied the sealed key into a list with another public key.
    if (!signer || !(await isSignature(lock.key, purpose, await signText(signer, purpose))))
      return fail('STORAGE_CORRUPT', 'The key of the list of devices is damaged.');
    passphraseKey = lock.key;
    await change(signer, (present) => (isKnown(present) ? undefined : { ...self, by: byPassphrase }));
  }

  async function joinByInvitation(invitation: string): Promise<void> {
    const secret = parseJson(invitation);
    const { head, count, id: by, key: bytes } = isJsonObject(secret) ? secret : {};
    const privateBytes = typeof bytes === 'string' ? fromBase64Url(bytes) : undefined;
    const signer = privateBytes && (await importPrivate(privateBytes));
    if (!signer || typeof head !== 'string' || typeof count !== 'number' || typeof by !== 'string')
      return fail(
        'INVALID_INPUT',
        'The invitation is not valid: pass what `getInvitation()` of an opened invitation returns.',
      );
    await read({ head, count });
    await change(signer, (present) => {
      if (isKnown(present)) return undefined;
      if (!present.invitations.has(by))
        fail('PERMISSION_DENIED', 'The invitation was used or revoked: ask for another one.');
      return { ...self, by };
    });
  }

  const signer: Signer = {
    sign: async (statement) => ({ device: id, signature: await signText(pair.privateKey, statement) }),
    check: createCheck({
      self: { id, key },
      isSignature,
      async find(device) {
        const list = await read().catch((thrown: unknown) => {
          if (thrown instanceof AgentError && thrown.code === 'STORAGE_CORRUPT') return known;
          throw thrown;
        });
        return list?.devices.get(device);
      },
    }),
  };

  // Where the store has no list any more, the passphrase begins a new list with this device alone.
  if (isCreated && (await meta.get(entryName)) === undefined) await create();
  else await join();

  return {
    id,
    ...createDecisionGuard(signer),
    removals: createRemovalGuard(signer, meta),
    async list() {
      const list = await read();
      return Array.from(list?.devices.values() ?? [], ({ key: _key, ...device }) => ({
        ...device,
        isThis: device.id === id,
      }));
    },
    async remove(device) {
      await change(pair.privateKey, (list) => {
        if (!isKnown(list))
          fail('PERMISSION_DENIED', 'This device is not in the list of devices, so it cannot remove a device.');
        return list.devices.get(device)?.isRemoved === false ? { do: 'remove', id: device, by: id } : undefined;
      });
    },
    async invite() {
      const made = await createKeyPair(true);
      const invited = await publicOf(made);
      await change(pair.privateKey, (list) => {
        if (!isKnown(list))
          fail('PERMISSION_DENIED', 'This device is not in the list of devices, so it cannot invite a device.');
        return list.invitations.has(invited.id) ? undefined : { do: 'invite', ...invited, by: id };
      });
      const pin = known && pinOf(known);
      return JSON.stringify({ ...pin, id: invited.id, key: toBase64Url(await exportPrivate(made)) });
    },
  };
}
