import { Observable, Subject } from 'rxjs';
import { AgentError, fail } from '../core/error.ts';
import { openVaultChannel } from '../storage/erase/vault-channel.ts';
import { createVaultDisk, type VaultLock, type VaultRecord } from './vault-record.ts';
import { type Secrets, sealSecrets, toShown, unsealSecrets } from './vault-secrets.ts';
import type { VaultState } from './vault-types.ts';

/** The keys of this tab, and the key that encrypts them on the disk. Without `dataKey` they are in memory only. */
interface Opened {
  readonly secrets: Secrets;
  readonly dataKey?: CryptoKey;
}

/** The keys of this tab, in step with the disk and with the other tabs. */
export interface VaultContents {
  readonly state$: Observable<VaultState>;
  readonly getState: () => VaultState;
  /** Returns the keys of this tab; `undefined` while they are locked. */
  readonly getOpened: () => Opened | undefined;
  /** Reads the disk: another tab may have changed, added or erased what is stored. Never rejects. */
  readonly refresh: () => Promise<void>;
  /** Returns what is on the disk. */
  read(): Promise<VaultRecord | undefined>;
  /** Uses the keys of this record from now on. */
  open(next: Opened, stored: VaultRecord): void;
  /**
   * Changes the keys, here and, if they are stored, on the disk: based on what other tabs have stored meanwhile. Rejects with AgentError
   * `AUTHENTICATION_LOCKED`, and with `STORAGE_CONFLICT` where another tab has changed the disk at the same time.
   */
  change(update: (secrets: Secrets) => Secrets): Promise<void>;
  /** Stores keys for the first time. Rejects with `STORAGE_CONFLICT`, as `change` does. */
  protect(next: Required<Opened>, lock: VaultLock): Promise<void>;
  /** Erases the disk, and keeps the keys in the memory of this tab. Rejects with AgentError `AUTHENTICATION_LOCKED`. */
  unprotect(): Promise<void>;
  /** Replaces the locks of a record that was just read. Rejects with `STORAGE_CONFLICT`, as `change` does. */
  setLocks(base: VaultRecord, locks: readonly VaultLock[]): Promise<void>;
  /** Forgets stored keys in this tab. */
  lock(): void;
  /** Erases all keys, here and on the disk. */
  erase(): Promise<void>;
  /** Notifies of no more changes, of this tab or others. */
  leave(): void;
  closeDisk(): Promise<void>;
}

interface VaultContentsOptions {
  /** Awaited before the first state, where stored keys are locked: another tab may have the key. Never rejects. */
  readonly beforeLocked: () => Promise<void>;
  /** Called when another tab has changed the disk. */
  readonly onForeignChange: () => void;
  /** Called with each new state, before subscribers are notified. */
  readonly onState: (state: VaultState) => void;
}

export function createVaultContents(
  name: string,
  { beforeLocked, onForeignChange, onState }: VaultContentsOptions,
): VaultContents {
  const disk = createVaultDisk(name);
  const changes = new Subject<VaultState>();
  const tabs = openVaultChannel(name);
  tabs.listen((message) => {
    // Invariant: a person who signs out in one tab is signed out in all, also of keys that are in memory only.
    if (message === 'erased') empty();
    onForeignChange();
  });

  let opened: Opened | undefined = { secrets: new Map() };
  let record: VaultRecord | undefined;
  let state: VaultState = { status: 'opening', keys: [], locks: [] };

  async function refresh(): Promise<void> {
    try {
      const stored = await disk.read();
      if (stored) await adopt(stored);
      else if (record) opened = { secrets: new Map() };
      record = stored;
      if (stored && !opened && state.status === 'opening') await beforeLocked();
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
    onState(state);
    changes.next(state);
  }

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
  const announce = (): void => tabs.post('changed');

  /** Forgets all keys in this tab. */
  function empty(): void {
    opened = { secrets: new Map() };
    record = undefined;
    publish();
  }

  return {
    state$: new Observable((subscriber) => {
      subscriber.next(state);
      return changes.subscribe(subscriber);
    }),
    getState: () => state,
    getOpened: () => opened,
    refresh,
    read: disk.read,
    open(next, stored) {
      opened = next;
      record = stored;
      publish();
    },
    change,
    async protect(next, lock) {
      await store({ locks: [lock], ...(await sealSecrets(next.secrets, next.dataKey)) }, 0);
      opened = next;
      publish();
    },
    async unprotect() {
      if (!opened) throw locked();
      if (!opened.dataKey) return;
      const { secrets } = opened;
      await disk.erase();
      opened = { secrets };
      record = undefined;
      publish();
      announce();
    },
    async setLocks(base, locks) {
      await store({ ...base, locks }, base.revision);
      publish();
    },
    lock() {
      if (!opened?.dataKey) return;
      opened = undefined;
      publish();
    },
    async erase() {
      empty();
      // Before the disk: the other tabs must not wait for it.
      tabs.post('erased');
      await disk.erase();
      announce();
    },
    leave() {
      tabs.close();
      changes.complete();
    },
    closeDisk: disk.close,
  };
}

export function locked(): AgentError {
  return new AgentError('The keys are locked: unlock them, then resume.', { code: 'AUTHENTICATION_LOCKED' });
}
