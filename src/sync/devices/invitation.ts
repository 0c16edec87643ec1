import { named } from '../../core/model/shapes/named.ts';
import { fromBase64Url, toBase64Url } from '../../core/base64url.ts';
import { fail } from '../../core/error.ts';
import { isJsonObject, type Json, parseJson, toJson } from '../../core/json.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import { browserPorts } from '../../core/ports.ts';
import { importKey, keyOfPassphrase, randomBytes, rounds, seal, toBytes, unseal } from '../../keys/seal.ts';
import type { Devices } from './open-devices.ts';
import { fromSealedText, toSealedText } from '../../encryption/sealed-text.ts';

/** Options of `inviteDevice`. */
export interface InvitationOptions {
  /** Of the remote store without `encrypt`: keeps the sealed key until it is taken. It replaces an earlier invitation. */
  readonly meta: StoreMeta;
  /** The key of `openSharedKey`. */
  readonly key: string;
  /** What the other device needs to reach the remote store: address, user, credential. */
  readonly connection: Json;
  /** Of this device: the other device is added to the list of known devices. Without it, the other device is not known. */
  readonly devices?: Pick<Devices, 'invite'>;
  /** Shown beside the code, and typed on the other device: at least 6 characters. */
  readonly pin: string;
  /** ms until the code is refused. Default 10 minutes. */
  readonly lifetime?: number;
  /** Clock, for tests. Returns ms since the epoch. */
  readonly now?: () => number;
}

/** A code for one other device. */
export interface Invitation {
  /** Some 500 characters: letters, digits, `-` and `_`. It cannot be opened without the PIN. */
  readonly code: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  /** Resolves with whether the other device has not taken the key yet. */
  isOpen(): Promise<boolean>;
  /** Removes the key from the remote store: the code is refused from then on. */
  revoke(): Promise<void>;
}

/** What `openInvitation` resolves with. */
export interface OpenedInvitation {
  readonly connection: Json;
  /**
   * Takes the key from the remote store and removes it there. Rejects with AgentError `PERMISSION_DENIED` where the invitation was used,
   * revoked or replaced, or has expired, and with the errors of `meta`: then the key may be gone, and another invitation is needed.
   *
   * @param meta of the remote store without `encrypt`
   */
  takeKey(meta: StoreMeta): Promise<string>;
  /** Returns what `openDevices` takes as `invitation`, after `takeKey`; `undefined` where the invitation was made without `devices`. */
  getInvitation(): string | undefined;
}

/** The `meta` entry with the sealed key: one invitation at a time. */
const entry = 'brooklet invitation';
const codePurpose = 'brooklet invitation code';
const leastPin = 6;
const saltSize = 16;
const ivSize = 12;

/**
 * Makes a code that gives one other device the connection and the key. The code contains the connection and a random secret, sealed by the
 * PIN; the remote store has the key, sealed by that secret, until the first device takes it. Both are required:
 * an attacker who has the code and tries all PINs still needs the entry of the remote store, which is removed by the first use.
 *
 * Rejects with AgentError `INVALID_INPUT` for a short PIN or a connection that is not JSON, and with the errors of `meta`.
 *
 * @example
 * const { code, isOpen } = await inviteDevice({ meta, key, pin: '48201937', connection: { url, user, password } });
 * // on the other device
 * const { connection, takeKey } = await openInvitation(code, pin);
 */
export async function inviteDevice(options: InvitationOptions): Promise<Invitation> {
  const {
    meta,
    key,
    connection,
    devices,
    pin,
    lifetime = 600_000,
    now = browserPorts.now,
  } = named(
    options,
    { meta: true, key: true, connection: true, devices: true, pin: true, lifetime: true, now: true },
    'inviteDevice',
  );
  if (typeof pin !== 'string' || pin.length < leastPin)
    fail('INVALID_INPUT', `The PIN of an invitation must have at least ${leastPin} characters.`);
  const id = toBase64Url(randomBytes(12));
  const secret = randomBytes(32);
  const expiresAt = now() + lifetime;
  const shared = devices === undefined ? key : { key, invitation: await devices.invite() };
  const sealed = toSealedText(await seal(await importKey(secret), toPurpose(id, expiresAt), toBytes(shared)));
  const content = { id, expiresAt, secret: toBase64Url(secret), connection: toJson(connection) };
  const salt = randomBytes(saltSize);
  const { iv, data } = await seal(await keyOfPassphrase(pin, salt, rounds), codePurpose, toBytes(content));
  await meta.update(entry, () => ({ id, ...sealed }));
  return {
    code: toBase64Url(Uint8Array.from([salt, iv, data].flatMap((part) => Array.from(new Uint8Array(part)))).buffer),
    expiresAt,
    isOpen: async () => isOf(id, await meta.get(entry)),
    revoke: () => meta.update(entry, (stored) => (isOf(id, stored) ? undefined : stored)),
  };
}

/**
 * Opens the code of an invitation.
 *
 * Rejects with AgentError `INVALID_INPUT` for a text that is not a code, `AUTHENTICATION_FAILED` for a wrong PIN or a changed code, and
 * `PERMISSION_DENIED` for a code that has expired.
 *
 * @param now returns ms since the epoch. Default: the clock of the browser
 */
export async function openInvitation(
  code: string,
  pin: string,
  now: () => number = browserPorts.now,
): Promise<OpenedInvitation> {
  const bytes = fromBase64Url(code.replace(/\s+/g, ''));
  if (!bytes || bytes.length <= saltSize + ivSize)
    return fail('INVALID_INPUT', 'This is not the code of an invitation: copy all of it.');
  const [salt, iv, data] = [
    bytes.slice(0, saltSize),
    bytes.slice(saltSize, saltSize + ivSize),
    bytes.slice(saltSize + ivSize),
  ];
  const opened = await unseal(await keyOfPassphrase(pin.trim(), salt.buffer, rounds), codePurpose, {
    iv: iv.buffer,
    data: data.buffer,
  });
  const content = opened && parseJson(new TextDecoder().decode(opened));
  if (!isJsonObject(content)) return fail('AUTHENTICATION_FAILED', 'The PIN is wrong, or the code was changed.');
  const { id, expiresAt, secret, connection } = content;
  const secretBytes = typeof secret === 'string' ? fromBase64Url(secret) : undefined;
  if (typeof id !== 'string' || typeof expiresAt !== 'number' || !secretBytes || connection === undefined)
    return fail('INVALID_INPUT', 'The code is of another version: update this page.');
  const checkTime = (): void => {
    if (now() > expiresAt) refuse();
  };
  checkTime();

  let invitation: string | undefined;
  return {
    connection,
    getInvitation: () => invitation,
    async takeKey(meta) {
      checkTime();
      let found: Json | undefined;
      await meta.update(entry, (stored) => {
        found = isOf(id, stored) ? stored : undefined;
        return found === undefined ? stored : undefined;
      });
      const sealed = fromSealedText(found);
      const key = sealed && (await unseal(await importKey(secretBytes.buffer), toPurpose(id, expiresAt), sealed));
      const shared = key && parseJson(new TextDecoder().decode(key));
      const { key: text, invitation: taken } = isJsonObject(shared) ? shared : { key: shared };
      if (typeof taken === 'string') invitation = taken;
      return typeof text === 'string' ? text : refuse();
    },
  };
}

/** The purpose binds the sealed key to its invitation and to the time until which it is valid. */
function toPurpose(id: string, expiresAt: number): string {
  return `brooklet invitation key ${id} ${expiresAt}`;
}

function isOf(id: string, stored: Json | undefined): boolean {
  return isJsonObject(stored) && stored.id === id;
}

/** @throws AgentError `PERMISSION_DENIED` */
function refuse(): never {
  return fail('PERMISSION_DENIED', 'The invitation was used or revoked, or has expired: ask for another one.');
}
