import { type NatsConnection, wsconnect } from '@nats-io/nats-core';
import { type Agent, type AgentSession, createAgent, extractTextContent, toolParts } from 'brooklet';
import { createAesCodec } from 'brooklet/encryption';
import { createVault } from 'brooklet/keys';
import { createNatsStore } from 'brooklet/nats';
import { createIndexedDBStore, eraseEverything } from 'brooklet/storage';
import {
  createRemote,
  createSyncedStore,
  type Devices,
  importSharedKey,
  inviteDevice,
  openDevices,
  openInvitation,
  openSharedKey,
  type SyncedStore,
} from 'brooklet/sync';
import { createScriptedClient, reply } from 'brooklet/testing';
import { createNotesStore } from 'brooklet/tools';
import { openWorkspace } from 'brooklet/workspace';
import { firstValueFrom } from 'rxjs';
import type { BeginOptions, Room } from './room.ts';
import { createPay } from '../../../support/create-pay.ts';

declare global {
  var room: Room;
}

const store: SyncedStore = createSyncedStore({ local: createIndexedDBStore({ name: 'synced' }) });
const opened = new Map<string, AgentSession>();
const ran: string[] = [];
let connection: NatsConnection;
let meta: ReturnType<typeof createNatsStore>['meta'];
let key = '';
let devices: Devices;

const pay = createPay(ran);

const agent: Agent = createAgent({
  store,
  tools: [pay],
  client: createScriptedClient(({ messages }) => {
    const last = messages.findLast(({ role }) => role === 'user');
    const text = last ? extractTextContent(last) : '';
    if (messages.at(-1) !== last) return [reply.text('Paid.')];
    return text === 'Pay' ? [reply.call('pay')] : [reply.text(`You said: ${text}`)];
  }),
});

/** The key of the stream: of the passphrase, of the invitation, or what this tab has kept for its reloads. */
async function takeKey({ passphrase, code, pin }: BeginOptions): Promise<readonly [key: string, invitation?: string]> {
  if (passphrase !== undefined) return [await openSharedKey(meta, { passphrase })];
  if (code === undefined) return [sessionStorage.getItem('key') ?? ''];
  const invitation = await openInvitation(code, pin ?? '');
  const taken = await invitation.takeKey(meta);
  const secret = invitation.getInvitation();
  return secret === undefined ? [taken] : [taken, secret];
}

async function sessionOf(id: string): Promise<AgentSession> {
  const session = opened.get(id) ?? (await agent.openSession(id));
  opened.set(id, session);
  return session;
}

const pendingOf = (session: AgentSession): string | undefined =>
  session
    .getMessages()
    .flatMap(toolParts)
    .find(({ status }) => status === 'awaiting-approval')?.callId;

/** Whether the page may have folders: not in WebKitGTK, and not in a private window of Firefox. */
const hasFolders = async (): Promise<boolean> => {
  try {
    return (await navigator.storage.getDirectory()).kind === 'directory';
  } catch {
    return false;
  }
};

/** Resolves with what a request returns. */
function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/** Whether a database has a row in any of its tables. */
async function hasRows(name: string): Promise<boolean> {
  const database = await resultOf(indexedDB.open(name));
  try {
    for (const table of database.objectStoreNames)
      if ((await resultOf(database.transaction(table).objectStore(table).count())) > 0) return true;
    return false;
  } finally {
    database.close();
  }
}

/** Reads the key pair of this device, as any script of the page can. */
async function readKeyPair(): Promise<CryptoKeyPair> {
  const database = await resultOf(indexedDB.open('brooklet-device'));
  const pair: CryptoKeyPair = await resultOf(database.transaction('device').objectStore('device').get('key pair'));
  database.close();
  return pair;
}

globalThis.room = {
  ran,
  opened,
  async begin(options) {
    const { url, user, device, passphrase } = options;
    connection = await wsconnect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 250 });
    ({ meta } = createNatsStore({ connection, user }));
    const [taken, invitation] = await takeKey(options);
    key = taken;
    sessionStorage.setItem('key', key);
    const encrypt = createAesCodec(await importSharedKey(key));
    const remote = createNatsStore({ connection, user, timeout: 2_000, encrypt });
    devices = await openDevices({ meta: remote.meta, name: device, invitation, ...(passphrase && { passphrase }) });
    store.connect(createRemote(remote), { device, name: 'nats', devices });
    return devices.id;
  },
  async invite(pin) {
    const { code } = await inviteDevice({ meta, key, pin, connection: { url: 'x' }, devices });
    return code;
  },
  devices: () => devices.list(),
  removeDevice: (id) => devices.remove(id),
  async exportKey() {
    const { privateKey } = await readKeyPair();
    for (const format of ['pkcs8', 'jwk'] as const) {
      const problem = await crypto.subtle.exportKey(format, privateKey).then(
        () => undefined,
        (thrown: unknown) => (thrown instanceof DOMException ? thrown.name : String(thrown)),
      );
      if (problem !== 'InvalidAccessError') return problem ?? format;
    }
    return 'InvalidAccessError';
  },
  create: () => agent.createSession(),
  async send(id, text) {
    void (await sessionOf(id)).send(text);
  },
  async approve(id, drive = true) {
    const session = await sessionOf(id);
    await session.approve(pendingOf(session) ?? '', { drive });
  },
  async view(id) {
    const session = opened.get(id) ?? (await sessionOf(id));
    const pending = pendingOf(session);
    const sync = await firstValueFrom(store.sessionSync$(id));
    return {
      status: session.getStatus(),
      messages: session.getMessages().map((message) => `${message.role}: ${extractTextContent(message)}`),
      held: sync?.held?.map(({ why }) => why) ?? [],
      ...(sync && { sync: sync.state }),
      ...(pending !== undefined && { pending }),
    };
  },
  list: async () => (await store.list()).sessions.map(({ id }) => id),
  getState: () => store.getStatus().state,
  async keep() {
    const vault = createVault();
    await vault.add('service', 'a-key', { baseURL: 'https://api.example.com' });
    await vault.protect('correct horse battery');
    await createNotesStore().add('eggs');
    if (await hasFolders()) await (await openWorkspace()).getFileHandle('a.txt', { create: true });
    localStorage.setItem('of the page', 'stays');
  },
  async stored() {
    const databases: string[] = [];
    // WebKit lists a database whose first upgrade was aborted, with version 0: opening it would make it.
    for (const { name = '', version } of await indexedDB.databases())
      if (version !== 0 && (await hasRows(name))) databases.push(name);
    const folders: string[] = [];
    if (await hasFolders())
      for await (const name of (await navigator.storage.getDirectory()).keys()) folders.push(name);
    return { databases: databases.toSorted(), folders, entries: Object.keys(localStorage) };
  },
  disconnect: () => store.disconnect(),
  erase: () => eraseEverything(),
};
