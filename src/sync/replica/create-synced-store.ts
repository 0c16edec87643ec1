import { merge, Subject } from 'rxjs';
import { AgentError, fail } from '../../core/error.ts';
import { current } from '../../core/log/current.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import { createSessionLocks } from '../../storage/lock.ts';
import { checkConnectOptions, checkReplicaOptions } from './check-options.ts';
import { createClaimWrites } from './claim-writes.ts';
import { classify } from './classify.ts';
import { type Connection, createConnection } from './connection.ts';
import { followed } from './followed.ts';
import { createReplicaLocks } from './locks.ts';
import type { ConnectOptions, SessionSync, SyncedStore, SyncedStoreOptions, SyncedStoreStatus } from './options.ts';
import { readNews, runnerElsewhere, toSessionSync } from './session-sync.ts';

/** ms until a tab asks again whether another device still runs a session. */
const askAgain = 2_000;

const withoutRemote: SyncedStoreStatus & SessionSync = { state: 'local' };

/**
 * Creates a store that keeps the sessions of this device in step with a store that several devices share. Everything is read from and
 * written to `local` first, also offline, and where no remote store is connected; one tab of the device synchronizes, and the others are
 * informed by `changes$`.
 *
 * What is stored beside a run (a queued message, a name, a pin, metadata) is merged. Where two devices continued a conversation, the
 * other one's part stays, and this device's part is kept as a session of its own (`onFork`). Closing the replica closes both stores.
 *
 * @throws AgentError `INVALID_CONFIG` for a store that lacks `wasRemoved` or `meta`, and for an option that does not fit
 * @example
 * const store = createSyncedStore({ local: createIndexedDBStore(), remote, device: "Ann's phone", onFork: showFork });
 * const agent = createAgent({ client, store });
 */
export function createSyncedStore(options: SyncedStoreOptions): SyncedStore {
  const meta = checkReplicaOptions(options);
  const { local, device, claims = 'remote', claimTimeout = 10_000, textInterval = 1_000 } = options;
  const { requestTimeout = 30_000, toForkTitle, onFork = () => {}, onTrouble = () => {} } = options;
  const ports: Ports = { ...browserPorts, ...options.ports };
  const locks = local.locks ?? createSessionLocks(`replica:${device}`);
  const closing = new AbortController();
  const { signal } = closing;
  const statuses = new Subject<void>();
  const syncs = new Subject<string>();
  /** Emits when another remote store is connected, or none. */
  const links = new Subject<void>();
  let connection: Connection | undefined;

  const getStatus = (): SyncedStoreStatus => connection?.loop.getStatus() ?? withoutRemote;

  const writes = createClaimWrites({
    local,
    device,
    ports,
    claims,
    devices: options.devices,
    link: () => connection,
    timeout: claimTimeout,
    signal,
    onWait: (id) => syncs.next(id),
  });

  /** Sessions that a person has removed, and that are still stored here. */
  const removing = new Set<string>();

  async function isElsewhere(id: string): Promise<boolean> {
    if (connection === undefined) return false;
    const { base, here } = await readNews(id, local, connection.bases);
    return runnerElsewhere(base, here, device) !== undefined;
  }

  async function describe(id: string): Promise<SessionSync | undefined> {
    const its = connection;
    if (its === undefined) return (await local.read(id, { after: Infinity })) && withoutRemote;
    await its.whenNoted(id);
    const { base, here } = await readNews(id, local, its.bases);
    return toSessionSync(base, here, device, { error: its.errorOf(id), waiting: writes.since(id) });
  }

  /** Reads a session here; fetches its log first, where this device has its row alone. Rejects where that log cannot be fetched. */
  async function read(id: string, readOptions?: { readonly after?: number }): Promise<StoredSession | undefined> {
    const stored = await local.read(id, readOptions);
    if (classify('here', stored, false).is !== 'row') return stored;
    if (connection === undefined)
      throw new AgentError(`The log of session ${id} is on a remote store, and none is connected.`, {
        code: 'STORAGE_UNAVAILABLE',
        retryable: true,
      });
    await connection.fetch(id);
    return local.read(id, readOptions);
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

  function disconnect(): void {
    connection?.close();
    connection = undefined;
    links.next();
  }

  function connect(
    remote: SessionStore,
    { name = options.name, devices = options.devices }: ConnectOptions = {},
  ): void {
    if (signal.aborted) fail('STORAGE_UNAVAILABLE', 'The synced store has been closed: create another one.');
    connection?.close();
    connection = createConnection({
      local,
      remote,
      meta,
      name: name ?? '',
      device,
      devices,
      ports,
      locks,
      requestTimeout,
      textInterval,
      toForkTitle,
      online$: options.online$,
      onFork: tell(onFork),
      onTrouble: tell(onTrouble),
      onStatus: () => statuses.next(),
      onSync: (id) => syncs.next(id),
      isBeingRemoved: (id) => removing.has(id),
    });
    links.next();
  }

  if (options.remote) connect(options.remote);

  return {
    list: (listOptions) => local.list(listOptions),
    read,
    // Empty for a log that this device does not have yet.
    readLatest: async (id) => (await local.readLatest?.(id)) ?? [],
    wasRemoved: async (id) => (await local.wasRemoved?.(id)) ?? true,
    wasErased: (id) => local.wasErased?.(id) ?? false,
    changes$: local.changes$,
    meta,
    isPersistent: () => local.isPersistent?.() ?? true,
    locks: createReplicaLocks({
      local: locks,
      get remote() {
        return connection?.locks;
      },
      isElsewhere,
      whenChanged,
    }),
    write(write) {
      return writes.write(write).then(() => connection?.loop.poke(write.sessionId));
    },
    async remove(id) {
      removing.add(id);
      try {
        const stored = await local.read(id, { after: Infinity });
        if (classify('here', stored, false).is === 'row') {
          // What is removed can be restored: its log is fetched first.
          removing.delete(id);
          await read(id, { after: Infinity });
        }
        const wasHere = await local.remove(id);
        connection?.loop.poke(id);
        return wasHere;
      } finally {
        removing.delete(id);
      }
    },
    async restore(id) {
      const isRestored = (await local.restore?.(id)) ?? false;
      if (isRestored) connection?.loop.poke(id);
      return isRestored;
    },
    status$: current(merge(statuses, links), getStatus),
    getStatus,
    sessionSync$: (id) => followed(id, () => describe(id), [local.changes$, syncs], links),
    sync: async () => connection?.loop.sync(),
    connect(remote, connectOptions) {
      checkConnectOptions(remote, connectOptions);
      connect(remote, connectOptions);
    },
    disconnect,
    close() {
      closing.abort(new AgentError('The replica has been closed.', { code: 'SESSION_BUSY' }));
      connection?.close();
      statuses.complete();
      syncs.complete();
      links.complete();
      local.close();
    },
  };
}

/** Calls a listener of the page on its own: what it throws is not an error of a store. */
function tell<T>(listener: (value: T) => void): (value: T) => void {
  return (value) => queueMicrotask(() => listener(value));
}
