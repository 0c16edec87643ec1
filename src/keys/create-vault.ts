import { Observable } from 'rxjs';
import { createEmitter } from '../core/emitter.ts';
import { AgentError, fail } from '../core/error.ts';
import { browserPorts, unref } from '../core/ports.ts';
import { toAddress } from '../llm/transport/address.ts';
import { cleanKey } from '../llm/transport/headers.ts';
import { importKey, randomBytes } from './seal.ts';
import {
  checkPassphrase,
  openWithPasskey,
  openWithPassphrase,
  toPasskeyLock,
  toPassphraseLock,
} from './vault-locks.ts';
import { createVaultDisk, type VaultLock, type VaultRecord } from './vault-record.ts';
import { type Secrets, sealSecrets, toShown, unsealSecrets } from './vault-secrets.ts';
import type { Vault, VaultOptions, VaultState } from './vault-types.ts';

/** The keys of this tab, and the key that encrypts them on the disk. Without `dataKey` they are in memory only. */
interface Opened {
  readonly secrets: Secrets;
  readonly dataKey?: CryptoKey;
}

/**
 * Creates a vault, and begins to read what an earlier page stored.
 *
 * @example
 * const vault = createVault();
 * await vault.add('openai', pasted, { baseURL: 'https://api.openai.com/v1' });
 * const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: vault.keyFor('openai') });
 * await vault.protect(passphrase); // from now on on the disk, encrypted
 */
export function createVault({
  name = 'brooklet-keys',
  autoLock = 15 * 60_000,
  onLocked,
  ports: { now = browserPorts.now, delay = browserPorts.delay } = {},
}: VaultOptions = {}): Vault {
  if (!(autoLock > 0)) fail('INVALID_CONFIG', `autoLock must be a positive number of ms, not ${autoLock}.`);
  const disk = createVaultDisk(name);
  const changes = createEmitter<VaultState>();
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`brooklet vault ${name}`);
  unref(tabs);

  let opened: Opened | undefined = { secrets: new Map() };
  let record: VaultRecord | undefined;
  let state: VaultState = { status: 'opening', keys: [], locks: [] };
  let usedAt = now();
  let stopTimer = (): void => {};
  /** The end of the last change. Invariant: changes run one after the other. */
  let last: Promise<unknown> = refresh();
  tabs?.addEventListener('message', () => void inTurn(refresh));

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  /** Reads the disk: another tab may have changed, added or erased what is stored. */
  async function refresh(): Promise<void> {
    try {
      const stored = await disk.read();
      if (stored) await adopt(stored);
      else if (record) opened = { secrets: new Map() };
      record = stored;
    } catch (thrown) {
      // Without a disk the keys of this tab are all there is. Damaged keys are locked: `unlock` reports the damage.
      if (thrown instanceof AgentError && thrown.code === 'STORAGE_CORRUPT') opened = undefined;
    }
    publish();
  }

  /** Keeps the keys of this tab where they are of this record, or in memory only. */
  async function adopt(stored: VaultRecord): Promise<void> {
    const dataKey = opened?.dataKey;
    if (dataKey) {
      const secrets = await unsealSecrets(stored, dataKey).catch(() => undefined);
      keep(secrets && { secrets, dataKey }, dataKey);
    } else if (opened?.secrets.size === 0) opened = undefined;
  }

  /** Invariant: a vault that was locked meanwhile stays locked. */
  function keep(next: Opened | undefined, dataKey: CryptoKey): void {
    if (opened?.dataKey === dataKey) opened = next;
  }

  function publish(): void {
    const keys = opened ? Array.from(opened.secrets.values(), toShown) : (record?.keys ?? []);
    const locks = record?.locks.map(({ kind }) => kind) ?? [];
    state = { status: !opened ? 'locked' : opened.dataKey ? 'open' : 'memory', keys, locks };
    startTimer();
    changes.next(state);
  }

  function startTimer(): void {
    stopTimer();
    const isTimed = state.status === 'open' && autoLock !== Infinity;
    stopTimer = isTimed ? delay(lockIfIdle, usedAt + autoLock - now(), true) : () => {};
  }

  function lockIfIdle(): void {
    if (now() - usedAt >= autoLock) lock();
    else startTimer();
  }

  function lock(): void {
    if (!opened?.dataKey) return;
    opened = undefined;
    publish();
  }

  /** Changes the keys, here and, if they are stored, on the disk: based on what other tabs have stored meanwhile. */
  async function change(update: (secrets: Secrets) => Secrets): Promise<void> {
    if (!opened) throw locked();
    const { dataKey } = opened;
    if (!dataKey) opened = { secrets: update(opened.secrets) };
    else {
      const base = (await disk.read()) ?? fail('STORAGE_CONFLICT', 'The stored keys were erased in another tab.');
      const secrets = update(await unsealSecrets(base, dataKey));
      await store({ ...base, ...(await sealSecrets(secrets, dataKey)) }, base.revision);
      keep({ secrets, dataKey }, dataKey);
    }
    publish();
  }

  async function store(next: Omit<VaultRecord, 'revision'>, base: number): Promise<void> {
    const written: VaultRecord = { ...next, revision: base + 1 };
    if (!(await disk.replace(base, written)))
      throw new AgentError('Another tab has changed the stored keys at the same time. Try again.', {
        code: 'STORAGE_CONFLICT',
        retryable: true,
      });
    record = written;
    announce();
  }

  /** Lets the other tabs read the disk. */
  function announce(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    tabs?.postMessage('changed');
  }

  /** Rejects with AgentError `INVALID_CONFIG` where nothing is stored. */
  async function stored(): Promise<VaultRecord> {
    return (await disk.read()) ?? fail('INVALID_CONFIG', 'No keys are stored: protect them with a passphrase first.');
  }

  async function open(openLock: (stored: VaultRecord) => Promise<ArrayBuffer>): Promise<void> {
    const found = await stored();
    const own = opened?.dataKey ? undefined : opened?.secrets;
    const dataKey = await importKey(await openLock(found));
    opened = { secrets: await unsealSecrets(found, dataKey), dataKey };
    record = found;
    usedAt = now();
    publish();
    if (own?.size) await change((secrets) => new Map([...secrets, ...own]));
  }

  async function changeLocks(
    passphrase: string,
    update: (locks: readonly VaultLock[], dataKey: ArrayBuffer) => Promise<readonly VaultLock[]>,
  ): Promise<void> {
    const found = await stored();
    const dataKey = await openWithPassphrase(found, passphrase);
    await store({ ...found, locks: await update(found.locks, dataKey) }, found.revision);
    publish();
  }

  async function protect(passphrase: string): Promise<void> {
    if (!opened) throw locked();
    if (await disk.read()) fail('INVALID_INPUT', 'Keys are stored already: unlock them, or use changePassphrase.');
    const bytes = randomBytes(32);
    const dataKey = await importKey(bytes);
    const { secrets } = opened;
    const locks = [await toPassphraseLock(bytes, passphrase)];
    await store({ locks, ...(await sealSecrets(secrets, dataKey)) }, 0);
    opened = { secrets, dataKey };
    usedAt = now();
    publish();
  }

  /** Releases a key for one request. */
  async function release(id: string, origin: string): Promise<string> {
    await last;
    lockIfIdle();
    if (!opened) await onLocked?.();
    if (!opened) throw locked();
    const secret = opened.secrets.get(id);
    if (secret?.origin !== origin)
      fail(
        'AUTHENTICATION_FAILED',
        secret
          ? `The key "${id}" is for ${secret.origin}, not for ${origin}.`
          : `The vault has no key "${id}". Add the key.`,
      );
    usedAt = now();
    return secret.key;
  }

  return {
    state$: new Observable((subscriber) => {
      subscriber.next(state);
      return changes.stream$.subscribe(subscriber);
    }),
    getState: () => state,
    add: (id, key, { baseURL }) =>
      inTurn(async () => {
        if (typeof id !== 'string' || id === '') fail('INVALID_INPUT', 'The id of a key is a text.');
        const secret = { id, key: cleanKey(key), origin: toAddress(baseURL, '', true).origin, addedAt: now() };
        if (secret.key === '') fail('INVALID_INPUT', 'The key is empty.');
        await change((secrets) => new Map(secrets).set(id, secret));
      }),
    remove: (id) =>
      inTurn(async () => {
        const isThere = state.keys.some((key) => key.id === id);
        if (isThere) await change((secrets) => new Map(Array.from(secrets).filter(([other]) => other !== id)));
        return isThere;
      }),
    keyFor: (id) => (origin) => release(id, origin),
    protect: (passphrase) =>
      inTurn(async () => {
        checkPassphrase(passphrase);
        await protect(passphrase);
      }),
    unlock: (passphrase) => inTurn(() => open((found) => openWithPassphrase(found, passphrase))),
    lock,
    changePassphrase: (current, next) =>
      inTurn(async () => {
        checkPassphrase(next);
        await changeLocks(current, async (locks, dataKey) => [
          ...locks.filter(({ kind }) => kind !== 'passphrase'),
          await toPassphraseLock(dataKey, next),
        ]);
      }),
    addPasskey: (passphrase, { userName }) =>
      inTurn(() =>
        changeLocks(passphrase, async (locks, dataKey) => [...locks, await toPasskeyLock(dataKey, userName)]),
      ),
    unlockWithPasskey: () => inTurn(() => open(openWithPasskey)),
    forget: () =>
      inTurn(async () => {
        opened = { secrets: new Map() };
        record = undefined;
        publish();
        await disk.erase();
        announce();
      }),
    async dispose() {
      stopTimer();
      tabs?.close();
      changes.complete();
      await last;
      await disk.close();
    },
  };
}

function locked(): AgentError {
  return new AgentError('The keys are locked: unlock them, then resume.', { code: 'AUTHENTICATION_LOCKED' });
}
