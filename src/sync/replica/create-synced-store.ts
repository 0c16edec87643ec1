import { Subject, Subscription } from 'rxjs';
import { AgentError } from '../../core/error.ts';
import { current } from '../../core/log/current.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import { createSessionLocks } from '../../storage/lock.ts';
import { type Base, createBases } from './base.ts';
import { checkReplicaOptions } from './check-options.ts';
import { createClaimWrites } from './claim-writes.ts';
import { classify } from './classify.ts';
import { compareLists } from './compare-lists.ts';
import { followed } from './followed.ts';
import { limit } from './limited.ts';
import { createReplicaLocks } from './locks.ts';
import { createLoop } from './loop.ts';
import { onlineOf } from './online.ts';
import type { SyncedStoreOptions, SyncedStore, SessionSync } from './options.ts';
import { readNews, runnerElsewhere, toSessionSync } from './session-sync.ts';
import type { SyncEnv } from './sides.ts';
import { syncSession } from './sync-session.ts';

/** ms until a tab asks again whether another device still runs a session. */
const askAgain = 2_000;
/** Name of the lease of the tab that synchronizes; with the id of a session, of the tab that compares that session. */
const lockName = '\u0000replica';

/**
 * Creates a store that keeps the sessions of this device in step with a store that several devices share. Everything is read from and
 * written to `local` first, also offline; one tab of the device synchronizes, and the others are told by `changes$`.
 *
 * What is stored beside a run (a queued message, a name, a pin, metadata) is merged. Where two devices went on with a conversation, the
 * other one's part stays, and this device's part is kept as a session of its own (`onFork`). Closing the replica closes both stores.
 *
 * @throws AgentError `INVALID_CONFIG` for a store that lacks `wasRemoved` or `meta`, and for an option that does not fit
 * @example
 * const store = createSyncedStore({ local: createIndexedDBStore(), remote, device: "Ann's phone", onFork: showFork });
 * const agent = createAgent({ client, store });
 */
export function createSyncedStore(options: SyncedStoreOptions): SyncedStore {
  const meta = checkReplicaOptions(options);
  const { local, device, name = '', claims = 'remote', claimTimeout = 10_000, textInterval = 1_000 } = options;
  const { devices, requestTimeout = 30_000, onFork = () => {}, onTrouble = () => {} } = options;
  const ports: Ports = { ...browserPorts, ...options.ports };
  const { store: remote, isFailure } = limit(options.remote, requestTimeout, ports);
  const bases = createBases(meta, name);
  const locks = local.locks ?? createSessionLocks(`replica:${device}`);
  const closing = new AbortController();
  const { signal } = closing;
  const listening = new Subscription();
  const statuses = new Subject<void>();
  const syncs = new Subject<string>();
  /** Sessions of which the remote store may have more than this device knows. */
  const suspects = new Set<string>();
  const troubles = new Map<string, AgentError>();
  /** When text alone was last sent, by session. */
  const sentText = new Map<string, number>();

  const env: SyncEnv = {
    local,
    remote,
    bases,
    device,
    devices,
    ports,
    toForkTitle: options.toForkTitle,
    onTrouble: tell(onTrouble),
    onFork(fork) {
      loop.poke(fork.keptAs);
      tell(onFork)(fork);
    },
  };

  const loop = createLoop({
    ports,
    signal,
    async compareLists() {
      const lists = await compareLists(local, remote, bases, ports.id);
      for (const id of [...lists.changed, ...lists.added]) suspects.add(id);
      return lists;
    },
    onStatus: () => statuses.next(),
    async syncOne(id) {
      const result = await exclusively(id, () => syncNow(id, isHot));
      troubles.delete(id);
      syncs.next(id);
      return result === 'postponed' ? textInterval : undefined;
    },
    onTrouble(sessionId, error) {
      const isNew = troubles.get(sessionId)?.message !== error.message;
      troubles.set(sessionId, error);
      if (isNew) env.onTrouble({ type: 'refused', sessionId, error });
      syncs.next(sessionId);
    },
  });

  function isHot(id: string): boolean {
    const now = ports.now();
    if (now - (sentText.get(id) ?? -Infinity) < textInterval) return true;
    sentText.set(id, now);
    return false;
  }

  /** Invariant: one tab at a time compares a session. */
  async function exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    const lock = await locks.acquire(`${lockName} ${id}`, signal);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  async function syncNow(id: string, isTextHot?: (id: string) => boolean): Promise<Base | 'postponed' | undefined> {
    const isKnown = !suspects.delete(id);
    try {
      return await syncSession(id, env, isKnown, isTextHot && (() => isTextHot(id)));
    } catch (thrown) {
      suspects.add(id);
      throw thrown;
    }
  }

  const writes = createClaimWrites({
    local,
    remote,
    bases,
    device,
    ports,
    claims,
    devices,
    exclusively,
    isFailure,
    timeout: claimTimeout,
    signal,
    async syncNow(id) {
      const base = await syncNow(id);
      return base === 'postponed' ? undefined : base;
    },
    onDoubt: (id) => void suspects.add(id),
    onWait: (id) => syncs.next(id),
  });

  async function isElsewhere(id: string): Promise<boolean> {
    const { base, here } = await readNews(id, local, bases);
    return runnerElsewhere(base, here, device) !== undefined;
  }

  async function describe(id: string): Promise<SessionSync | undefined> {
    const { base, here } = await readNews(id, local, bases);
    return toSessionSync(base, here, device, { error: troubles.get(id), waiting: writes.since(id) });
  }

  /** Reads a session here; fetches its log first, where this device has its row alone. Rejects where that log cannot be fetched. */
  async function read(id: string, options?: { readonly after?: number }): Promise<StoredSession | undefined> {
    const stored = await local.read(id, options);
    if (classify('here', stored, false).is !== 'row') return stored;
    await exclusively(id, () => syncNow(id));
    return local.read(id, options);
  }

  function whenChanged(id: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const subscription = local.changes$.subscribe((changed) => changed === id && done(true));
      const cancel = ports.delay(() => done(false), askAgain);
      const onAbort = (): void => done(false);
      signal.addEventListener('abort', onAbort);
      function done(hasChanged: boolean): void {
        cancel();
        signal.removeEventListener('abort', onAbort);
        subscription.unsubscribe();
        resolve(hasChanged);
      }
    });
  }

  /** The tab that gets this lease hears of what other devices store, until it goes away. */
  async function lead(): Promise<void> {
    await locks.acquire(lockName, signal);
    const hear = (store: SessionStore, isRemote: boolean): Subscription =>
      store.changes$.subscribe((id) => {
        if (isRemote) suspects.add(id);
        loop.poke(id);
      });
    listening.add(hear(local, false));
    listening.add(hear(remote, true));
    await loop.sync();
  }

  const { online$ = onlineOf(options.remote) } = options;
  listening.add(
    online$?.subscribe((isOnline) => {
      if (isOnline) loop.retry();
    }),
  );
  listening.add(ports.onShow(loop.retry));
  // Rejects when the replica is closed first.
  lead().catch(() => {});

  return {
    list: (listOptions) => local.list(listOptions),
    read,
    // Of a log that this device does not have yet: nothing.
    readLatest: async (id) => (await local.readLatest?.(id)) ?? [],
    wasRemoved: async (id) => (await local.wasRemoved?.(id)) ?? true,
    wasErased: (id) => local.wasErased?.(id) ?? false,
    changes$: local.changes$,
    meta,
    isPersistent: () => local.isPersistent?.() ?? true,
    locks: createReplicaLocks({ local: locks, remote: options.remote.locks, isElsewhere, whenChanged }),
    write(write) {
      return writes.write(write).then(() => loop.poke(write.sessionId));
    },
    async remove(id) {
      // What is removed can be restored: its log is fetched first.
      await read(id, { after: Infinity });
      const wasHere = await local.remove(id);
      loop.poke(id);
      return wasHere;
    },
    async restore(id) {
      const isRestored = (await local.restore?.(id)) ?? false;
      if (isRestored) loop.poke(id);
      return isRestored;
    },
    status$: current(statuses, loop.getStatus),
    getStatus: loop.getStatus,
    sessionSync$: (id) => followed(id, () => describe(id), [local.changes$, syncs]),
    sync: loop.sync,
    close() {
      closing.abort(new AgentError('The replica has been closed.', { code: 'SESSION_BUSY' }));
      listening.unsubscribe();
      statuses.complete();
      syncs.complete();
      local.close();
      remote.close();
    },
  };
}

/** Calls a listener of the page on its own: what it throws is not an error of a store. */
function tell<T>(listener: (value: T) => void): (value: T) => void {
  return (value) => queueMicrotask(() => listener(value));
}
