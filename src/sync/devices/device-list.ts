import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Fields } from '../../core/model/shapes/fields.ts';
import { amount, having, jsonObject, listOf, maybe, oneOf, text } from '../../core/model/shapes/shape.ts';
import { canonical } from './canonical.ts';
import { hashOf, idOf, isSignature, signText } from './keys.ts';

/** One change of the list of devices, with its signature. `add`, `remove`: a device. `invite`: a key that may add one device. */
export interface ListEntry {
  readonly do: 'add' | 'invite' | 'remove';
  /** Of the device or of the invitation: follows from its key. */
  readonly id: string;
  /** Public key; missing in `remove`. */
  readonly key?: string;
  /** Name of the device. */
  readonly name?: string;
  /** ms since the epoch, by the clock of the signer */
  readonly at: number;
  /** The signer: the id of a device or of an invitation, or `passphrase`. */
  readonly by: string;
  readonly signature: string;
}

/** The content of the remote store: changes, each with the hash of the changes before it. */
export interface StoredList {
  /** The key that the passphrase opens, which may add devices; missing in a list without a passphrase. */
  readonly passphrase?: { readonly key: string; readonly sealed: JsonObject };
  readonly entries: readonly ListEntry[];
}

/** A device of the list. */
interface ListedDevice {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** ms since the epoch */
  readonly addedAt: number;
  readonly isRemoved: boolean;
}

/** A list whose signatures are valid. */
export interface DeviceList {
  readonly stored: StoredList;
  readonly devices: ReadonlyMap<string, ListedDevice>;
  /** Keys of unused invitations, by id. An invitation of a device that was removed is none. */
  readonly invitations: ReadonlyMap<string, string>;
  /** A hash of the whole list after each of its changes. */
  readonly heads: readonly string[];
}

/** What a device remembers of a list: a later list must continue it. */
export interface Pin {
  readonly count: number;
  readonly head: string;
}

/** The signer of the passphrase. */
export const byPassphrase = 'passphrase';

const maxEntries = 10_000;

const anyText = text();
const checkList = having({
  passphrase: maybe(having({ key: anyText, sealed: jsonObject })),
  entries: listOf(
    having({
      do: oneOf('add', 'invite', 'remove'),
      id: anyText,
      key: maybe(anyText),
      name: maybe(anyText),
      at: amount,
      by: anyText,
      signature: anyText,
    } satisfies Fields<ListEntry>),
  ),
} satisfies Fields<StoredList>);

/** Resolves with the list, or `undefined` for another value, for a wrong signature, and for a list that does not continue the pinned one. */
export async function verifyList(value: Json | undefined, pin: Pin | undefined): Promise<DeviceList | undefined> {
  const stored: unknown = value;
  if (!isStoredList(stored)) return undefined;
  const devices = new Map<string, ListedDevice>();
  const invitations = new Map<string, string>();
  /** Keys of the invitations of devices that were removed, by id. */
  const lapsed = new Map<string, string>();
  /** The devices that have invited, by the ids of their invitations. */
  const inviters = new Map<string, string>();
  const heads: string[] = [];
  for (const entry of stored.entries) {
    const { do: what, id, key, name, by, at } = entry;
    const signer = keyOf(entry, stored, devices, invitations, heads.length === 0) ?? lapsedKeyOf(entry, lapsed);
    const text = textOf(stored, heads.at(-1), entry);
    if (signer === undefined || !(await isSignature(signer, text, entry.signature))) return undefined;
    if (key !== undefined && (await idOf(key)) !== id) return undefined;
    invitations.delete(by);
    // Invariant: a removed device adds no device, also not by an invitation that it made before. The entry is in the list, which stays valid.
    const isLapsed = lapsed.delete(by);
    const known = devices.get(id);
    if (what === 'remove') {
      if (known) devices.set(id, { ...known, isRemoved: true });
      for (const [invited, open] of invitations)
        if (inviters.get(invited) === id) {
          invitations.delete(invited);
          lapsed.set(invited, open);
        }
    } else if (key === undefined) return undefined;
    else if (what === 'invite') {
      invitations.set(id, key);
      inviters.set(id, by);
      lapsed.delete(id);
    } else if (!isLapsed || !known) devices.set(id, { id, key, name: name ?? '', addedAt: at, isRemoved: isLapsed });
    heads.push(await hashOf(text + entry.signature));
  }
  if (heads.length === 0 || (pin !== undefined && heads[pin.count - 1] !== pin.head)) return undefined;
  return { stored, devices, invitations, heads };
}

/** Resolves with the list after one more change, for the store. */
export async function withEntry(
  list: Pick<DeviceList, 'stored' | 'heads'>,
  entry: Omit<ListEntry, 'signature'>,
  key: CryptoKey,
): Promise<StoredList> {
  const signature = await signText(key, textOf(list.stored, list.heads.at(-1), entry));
  return { ...list.stored, entries: [...list.stored.entries, { ...entry, signature }] };
}

export function pinOf({ heads }: DeviceList): Pin {
  return { count: heads.length, head: heads.at(-1) ?? '' };
}

/** Returns the public key of the signer of an entry, if the signer may make this change. */
function keyOf(
  { do: what, by, key, id }: ListEntry,
  { passphrase }: StoredList,
  devices: ReadonlyMap<string, ListedDevice>,
  invitations: ReadonlyMap<string, string>,
  isFirst: boolean,
): string | undefined {
  // In a list without a passphrase the first device adds itself.
  if (isFirst && passphrase === undefined) return what === 'add' && by === id ? key : undefined;
  if (by === byPassphrase) return what === 'add' ? passphrase?.key : undefined;
  if (invitations.has(by)) return what === 'add' ? invitations.get(by) : undefined;
  const device = devices.get(by);
  return device?.isRemoved === false ? device.key : undefined;
}

/** Returns the key of an invitation whose device was removed: it adds a device that is removed. */
function lapsedKeyOf({ do: what, by }: ListEntry, lapsed: ReadonlyMap<string, string>): string | undefined {
  return what === 'add' ? lapsed.get(by) : undefined;
}

/** What is signed: the change, and what the list was before. */
function textOf({ passphrase }: StoredList, head: string | undefined, entry: Omit<ListEntry, 'signature'>): string {
  const { do: what, id, key, name, at, by } = entry;
  return canonical(['brooklet devices', head ?? passphrase ?? '', { what, id, key, name, at, by }]);
}

function isStoredList(value: unknown): value is StoredList {
  if (!isJsonObject(value) || !Array.isArray(value.entries) || value.entries.length > maxEntries) return false;
  return checkList(value, '') === undefined;
}
