import { isJsonObject } from 'brooklet/core';
import { parseObject } from './json.ts';
import { createStored } from './stored.ts';

/** How a device signs in to an engine. */
export type SignInKind = 'password' | 'token';

/** The engine that the devices of the user share. Contains no secret: the vault has those. */
export interface Engine {
  /** `wss:`, or `ws:` on this computer. */
  readonly url: string;
  /** Whose conversations these are: names the stream, and signs in with a password. */
  readonly user: string;
  readonly signIn: SignInKind;
  /** Name of this device, as the others show it. */
  readonly device: string;
}

/** What opens an engine and its conversations. Never stored unencrypted. */
export interface EngineSecret {
  /** The password, or the token. */
  readonly credential: string;
  /** The end-to-end key: see `openSharedKey`. */
  readonly key: string;
}

/** The id under which the vault keeps what opens the engine. */
export const engineKeyId = 'brooklet-studio engine';

/** The engine of this device; `undefined` for none. */
export const engine = createStored<Engine | undefined>('brooklet-studio:engine', {
  read: (text) => toEngine(parseObject(text ?? '')),
  write: (value) => value && JSON.stringify(value),
});

/** Reads what is stored, or what another device has sent. Returns `undefined` for a value that is no engine. */
export function toEngine(value: unknown): Engine | undefined {
  if (!isJsonObject(value)) return undefined;
  const { url, user, signIn, device } = value;
  if (typeof url !== 'string' || problemWith(url) !== undefined) return undefined;
  if (typeof user !== 'string' || !isUserName(user)) return undefined;
  if (typeof device !== 'string' || device === '') return undefined;
  return { url, user, signIn: signIn === 'token' ? 'token' : 'password', device };
}

/** Names the engine among those that this device has used. */
export function nameOf({ url, user }: Engine): string {
  return `${url} ${user}`;
}

/** Why an address cannot be that of an engine; `undefined` if it can. */
export function problemWith(url: string): 'invalid' | 'insecure' | undefined {
  if (!URL.canParse(url)) return 'invalid';
  const { protocol, hostname } = new URL(url);
  // The policy of the page allows the same addresses.
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  if (protocol === 'wss:' || (protocol === 'ws:' && isHere)) return undefined;
  return protocol === 'ws:' ? 'insecure' : 'invalid';
}

/** Whether a name can be a part of the subjects of a stream. */
export function isUserName(name: string): boolean {
  return /^[\w-]+$/u.test(name);
}
