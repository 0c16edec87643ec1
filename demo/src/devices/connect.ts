import { AgentError } from 'brooklet';
import { createAesCodec } from 'brooklet/encryption';
import {
  importSharedKey,
  inviteDevice,
  type Invitation,
  openDevices,
  openInvitation,
  openSharedKey,
} from 'brooklet/sync';
import { createNatsStore, type NatsStore } from 'brooklet/nats';
import { textIn } from '../base/json.ts';
import { forgetSecret, readSecret, storeSecret } from './access.ts';
import { codeRoute } from './arrival.ts';
import { type Engine, engine, nameOf, toEngine } from '../base/engine.ts';
import { type Link, openLink } from './link.ts';
import { getDevices, getLink, restart, start } from './sync.ts';

/**
 * Connects this device to an engine, and stores the engine. The first device of a user makes the end-to-end key; the others open it with the
 * same passphrase.
 *
 * Rejects with AgentError: as `openLink` and `openSharedKey` do, and with `AUTHENTICATION_LOCKED` while the vault is locked. Then nothing
 * is stored.
 */
export async function connect(chosen: Engine, credential: string, passphrase: string): Promise<void> {
  const link = await openLink(chosen, credential);
  try {
    const store = plainStore(link, chosen);
    const { sessions } = await store.list({ limit: 1 });
    // A new key beside stored conversations would open none of them.
    const key = await openSharedKey(store.meta, { passphrase, isCreated: sessions.length === 0 });
    store.close();
    await enrol(link, chosen, key, { passphrase });
    await adopt(chosen, credential, key);
  } finally {
    await link.close();
  }
}

/** Makes a code for another device. Rejects with AgentError `NETWORK_ERROR` while the engine is away, and with the errors of the store. */
export async function invite(chosen: Engine, pin: string): Promise<Invitation> {
  const link = getLink();
  if (!link) throw new AgentError('The engine does not answer.', { code: 'NETWORK_ERROR' });
  const { credential, key } = await readSecret(chosen);
  const { url, user, signIn } = chosen;
  const { meta } = plainStore(link, chosen);
  const devices = getDevices();
  return inviteDevice({ meta, key, pin, connection: { url, user, signIn, credential }, ...(devices && { devices }) });
}

/**
 * Connects this device by the code of another one.
 *
 * @param text a code, or the link that contains it
 * Rejects with AgentError: as `openInvitation`, `takeKey` and `openLink` do, and with `AUTHENTICATION_LOCKED` while the vault is locked.
 */
export async function accept(text: string, pin: string, device: string): Promise<void> {
  const { connection, takeKey, getInvitation } = await openInvitation(codeOf(text), pin);
  const chosen = toEngine({ ...Object(connection), device });
  if (!chosen) throw new AgentError('The code is for another page.', { code: 'INVALID_INPUT' });
  const credential = textIn(connection, 'credential');
  const link = await openLink(chosen, credential);
  try {
    const store = plainStore(link, chosen);
    const key = await takeKey(store.meta);
    store.close();
    await enrol(link, chosen, key, { invitation: getInvitation() });
    await adopt(chosen, credential, key);
  } finally {
    await link.close();
  }
}

/** Ends the synchronization. What is stored here stays, and so does what is on the engine. */
export async function disconnect(): Promise<void> {
  await forgetSecret();
  engine.change(() => undefined);
}

/** Returns the address of this page with a code, for a camera. */
export function linkOf(code: string): string {
  return `${location.origin}${location.pathname}${codeRoute}${code}`;
}

function codeOf(text: string): string {
  return (text.split(codeRoute).at(-1) ?? '').trim();
}

/** Digits, at random: what is typed on the other device. */
export function newPin(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(8)), (number) => number % 10).join('');
}

/** The store without the end-to-end key, for what has to be read before the key is known. */
function plainStore({ connection }: Link, { user }: Engine): NatsStore & Required<Pick<NatsStore, 'meta'>> {
  return createNatsStore({ connection, user });
}

/** Adds this device to those whose decisions count. Rejects as `openDevices` does. */
async function enrol(
  { connection }: Link,
  chosen: Engine,
  key: string,
  by: Pick<Parameters<typeof openDevices>[0], 'passphrase' | 'invitation'>,
): Promise<void> {
  const { user, device } = chosen;
  const store = createNatsStore({ connection, user, encrypt: createAesCodec(await importSharedKey(key)) });
  await openDevices({ meta: store.meta, name: device, store: nameOf(chosen), ...by });
  store.close();
}

async function adopt(chosen: Engine, credential: string, key: string): Promise<void> {
  await storeSecret(chosen, { credential, key });
  engine.change(() => chosen);
  start();
  restart();
}
