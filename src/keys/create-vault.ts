import { defer, distinctUntilChanged, map } from 'rxjs';
import { named } from '../core/model/shapes/named.ts';
import { fail } from '../core/error.ts';
import { browserPorts } from '../core/ports.ts';
import { toAddress } from '../llm/transport/address.ts';
import { cleanKey } from '../llm/transport/headers.ts';
import { createAutoLock } from './auto-lock.ts';
import { importDataKey, rootOf } from './data-key.ts';
import { randomBytes } from './seal.ts';
import { createVaultContents, locked } from './vault-contents.ts';
import { type HandedKey, vaultKey, type VaultKey } from './vault-key.ts';
import { openVaultTabs } from './vault-tabs.ts';
import {
  checkPassphrase,
  openWithPasskey,
  openWithPassphrase,
  toPasskeyLock,
  toPassphraseLock,
} from './vault-locks.ts';
import type { VaultLock, VaultRecord } from './vault-record.ts';
import { unsealSecrets } from './vault-secrets.ts';
import type { Vault, VaultOptions } from './vault-types.ts';

/**
 * Creates a vault, and begins to read what an earlier page stored.
 *
 * @example
 * const vault = createVault();
 * await vault.add('openai', pasted, { baseURL: 'https://api.openai.com/v1' });
 * const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: vault.keyFor('openai') });
 * await vault.protect(passphrase); // from now on on the disk, encrypted
 */
export function createVault(options: VaultOptions = {}): Vault {
  const {
    name = 'brooklet-keys',
    autoLock = 15 * 60_000,
    onLocked,
    shared = false,
    ports: { now = browserPorts.now, delay = browserPorts.delay } = {},
  } = named(options, { name: true, autoLock: true, onLocked: true, shared: true, ports: true }, 'createVault');
  const idle = createAutoLock(autoLock, () => contents.lock(), { now, delay });
  const contents = createVaultContents(name, {
    beforeLocked: async () => tabs?.ask(),
    onForeignChange: () => void inTurn(contents.refresh),
    onState: ({ status }) => idle.watch(status === 'open'),
  });
  const tabs = shared
    ? openVaultTabs(name, {
        ports: { now, delay },
        getOpen,
        take,
        lock: contents.lock,
        onUse: idle.use,
        onTime: noteTime,
      })
    : undefined;
  /** Called when no other tab has the key. */
  let whenLocked = onLocked;
  /** ms: `autoLock` of the tab that was heard last. */
  let timeOfOthers: number | undefined;
  let isFollowing = false;
  /** The end of the last change. Invariant: changes run one after the other. */
  let last: Promise<unknown> = contents.refresh();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  /** Returns what this tab can hand to another one. */
  function getOpen(): Pick<HandedKey, 'dataKey' | 'usedAt' | 'autoLock'> | undefined {
    idle.check();
    const dataKey = contents.getOpened()?.dataKey;
    return dataKey && { dataKey, usedAt: idle.usedAt(), autoLock: idle.getTime() };
  }

  /** Takes the key of another tab. Invariant: keys that are in the memory of this tab only are not mixed with stored ones. */
  async function take({ dataKey, usedAt, autoLock }: HandedKey): Promise<boolean> {
    const found = await contents.read().catch(() => undefined);
    const secrets = found && (await unsealSecrets(found, dataKey).catch(() => undefined));
    if (!secrets || contents.getOpened()) return false;
    idle.countFrom(usedAt);
    noteTime(autoLock);
    contents.open({ secrets, dataKey }, found);
    // The tab may have stored more since.
    void inTurn(contents.refresh);
    return true;
  }

  function noteTime(ms = timeOfOthers): void {
    timeOfOthers = ms;
    if (isFollowing && ms !== undefined) idle.setTime(ms);
  }

  /** Lets a worker unlock by its pages, and lock when they do. */
  function follow(ask: () => Promise<void>): void {
    whenLocked = ask;
    isFollowing = true;
    noteTime();
  }

  /** Called when a locked key is needed: another tab may have it. */
  async function askForKey(): Promise<void> {
    await tabs?.ask();
    if (!contents.getOpened()) await whenLocked?.();
  }

  function noteUse(): void {
    idle.use();
    tabs?.used();
  }

  /** Rejects with AgentError `INVALID_CONFIG` where nothing is stored. */
  async function stored(): Promise<VaultRecord> {
    return (
      (await contents.read()) ?? fail('INVALID_CONFIG', 'No keys are stored: protect them with a passphrase first.')
    );
  }

  async function unlock(openLock: (found: VaultRecord) => Promise<ArrayBuffer>): Promise<void> {
    const found = await stored();
    const opened = contents.getOpened();
    const own = opened?.dataKey ? undefined : opened?.secrets;
    const dataKey = await importDataKey(await openLock(found));
    const secrets = await unsealSecrets(found, dataKey);
    idle.use();
    contents.open({ secrets, dataKey }, found);
    tabs?.opened();
    if (own?.size) await contents.change((others) => new Map([...others, ...own]));
  }

  async function changeLocks(
    passphrase: string,
    update: (locks: readonly VaultLock[], dataKey: ArrayBuffer) => Promise<readonly VaultLock[]>,
  ): Promise<void> {
    const found = await stored();
    const dataKey = await openWithPassphrase(found, passphrase);
    await contents.setLocks(found, await update(found.locks, dataKey));
  }

  async function protect(passphrase: string): Promise<void> {
    checkPassphrase(passphrase);
    const opened = contents.getOpened();
    if (!opened) throw locked();
    if (await contents.read()) fail('INVALID_INPUT', 'Keys are stored already: unlock them, or use changePassphrase.');
    const bytes = randomBytes(32);
    const dataKey = await importDataKey(bytes);
    const lock = await toPassphraseLock(bytes, passphrase);
    idle.use();
    await contents.protect({ secrets: opened.secrets, dataKey }, lock);
    tabs?.opened();
  }

  /** Releases a key for one request. */
  async function release(id: string, origin: string): Promise<string> {
    await last;
    idle.check();
    if (!contents.getOpened()) await askForKey();
    const opened = contents.getOpened();
    if (!opened) throw locked();
    const secret = opened.secrets.get(id);
    if (secret?.origin !== origin)
      fail(
        'AUTHENTICATION_FAILED',
        secret
          ? `The key "${id}" is for ${secret.origin}, not for ${origin}.`
          : `The vault has no key "${id}". Add the key.`,
      );
    noteUse();
    return secret.key;
  }

  /** Returns the key from which a codec derives its own. */
  function getRoot(): CryptoKey | undefined {
    idle.check();
    const dataKey = contents.getOpened()?.dataKey;
    if (dataKey) noteUse();
    return dataKey && rootOf(dataKey);
  }

  const locked$ = defer(() => {
    idle.check();
    return contents.state$.pipe(map(({ status }) => status === 'locked' || status === 'opening'));
  }).pipe(distinctUntilChanged());

  const vault: Vault = {
    state$: contents.state$,
    getState: contents.getState,
    add: (id, key, given) =>
      inTurn(async () => {
        const { baseURL } = named(given, { baseURL: true }, 'add');
        if (typeof id !== 'string' || id === '') fail('INVALID_INPUT', 'The id of a key is a text.');
        const secret = { id, key: cleanKey(key), origin: toAddress(baseURL, '', true).origin, addedAt: now() };
        if (secret.key === '') fail('INVALID_INPUT', 'The key is empty.');
        await contents.change((secrets) => new Map(secrets).set(id, secret));
      }),
    remove: (id) =>
      inTurn(async () => {
        const isThere = contents.getState().keys.some((key) => key.id === id);
        if (isThere) await contents.change((secrets) => new Map(Array.from(secrets).filter(([other]) => other !== id)));
        return isThere;
      }),
    keyFor: (id) => Object.assign((origin: string) => release(id, origin), { locked$ }),
    protect: (passphrase) => inTurn(() => protect(passphrase)),
    unlock: (passphrase) => inTurn(() => unlock((found) => openWithPassphrase(found, passphrase))),
    unprotect: () => inTurn(contents.unprotect),
    lock() {
      contents.lock();
      tabs?.locked();
    },
    setAutoLock(ms) {
      idle.setTime(ms);
      tabs?.timed(ms);
    },
    changePassphrase: (current, next) =>
      inTurn(async () => {
        checkPassphrase(next);
        await changeLocks(current, async (locks, dataKey) => [
          ...locks.filter(({ kind }) => kind !== 'passphrase'),
          await toPassphraseLock(dataKey, next),
        ]);
      }),
    addPasskey: async (passphrase, options) => {
      const { userName } = named(options, { userName: true }, 'addPasskey');
      return inTurn(() =>
        changeLocks(passphrase, async (locks, dataKey) => [...locks, await toPasskeyLock(dataKey, userName)]),
      );
    },
    unlockWithPasskey: () => inTurn(() => unlock(openWithPasskey)),
    forget: () => inTurn(contents.erase),
    async dispose() {
      idle.watch(false);
      contents.leave();
      tabs?.close();
      await last;
      await contents.closeDisk();
    },
  };
  const key: VaultKey = {
    get: getRoot,
    isLocked: () => !contents.getOpened(),
    settled: () => last,
    onLocked: tabs ? askForKey : onLocked,
    ...(tabs && {
      shared: {
        getHanded: tabs.getHanded,
        request: askForKey,
        take: tabs.accept,
        follow,
        drop: contents.lock,
      },
    }),
  };
  return Object.assign(vault, { [vaultKey]: key });
}
