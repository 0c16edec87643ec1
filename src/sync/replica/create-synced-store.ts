import { merge, Subject } from 'rxjs';
import { AgentError, fail } from '../../core/error.ts';
import { current } from '../../core/log/current.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import { createSessionLocks } from '../../storage/lock.ts';
import { checkConnectOptions, checkReplicaOptions } from './check-options.ts';
import { followed } from './followed.ts';
import { createReplicaLocks } from './locks.ts';
import type { ConnectOptions, SessionSync, SyncedStoreStatus } from './options.ts';
import { factsOf } from './origin.ts';
import type { Remote, Replication, SyncHost } from './remote.ts';
import { createSignedWrites } from './signed-writes.ts';
import type { SyncedStore, SyncedStoreOptions } from './synced-store.ts';
import { whenChanged } from './when-changed.ts';

const withoutRemote: SyncedStoreStatus & SessionSync = { state: 'local' };

/**
 * Creates a store that keeps the sessions of this device in step with a store that several devices share. Everything is read from and
 * written to `local` first, also offline, and where no remote store is connected; one tab of the device synchronizes, and the others are
 * informed by `changes$`. The code that synchronizes comes with `createRemote`: a page may load it when a person connects a remote store.
 *
 * What is stored beside a run (a queued message, a name, a pin, metadata) is merged. Where two devices continued a conversation, the
 * other one's part stays, and this device's part is kept as a session of its own (`onFork`). Closing the replica closes both stores.
 *
 * @throws AgentError `INVALID_CONFIG` for a store that lacks `wasRemoved` or `meta`, and for an option that does not fit
 * @example
 * const remote = createRemote(createNatsStore({ connection, user: 'ann' }));
 * const store = createSyncedStore({ local: createIndexedDBStore(), remote, device: "Ann's phone", onFork: showFork });
 * const agent = createAgent({ client, store });
 */
export function createSyncedStore(options: SyncedStoreOptions): SyncedStore {
  const meta = checkReplicaOptions(options);
  const { local, remote, ports: given, ...defaults } = options;
  const ports: Ports = { ...browserPorts, ...given };
  // Without a name, other stores of the page without locks must not have the same ones.
  const locks = local.locks ?? createSessionLocks(`replica:${options.device ?? ports.id()}`);
  const closing = new AbortController();
  const { signal } = closing;
  const statuses = new Subject<void>();
  const syncs = new Subject<string>();
  /** Emits when another remote store is connected, or none. */
  const links = new Subject<void>();
  /** Sessions that a person has removed, and that are still stored here. */
  const removing = new Set<string>();
  let replication: Replication | undefined;

  const getStatus = (): SyncedStoreStatus => replication?.getStatus() ?? withoutRemote;

  const host: Omit<SyncHost, 'options'> = {
    local,
    meta,
    ports,
    locks,
    waiting: new Map(),
    signal,
    current: () => replication,
    onStatus: () => statuses.next(),
    onSync: (id) => syncs.next(id),
    isBeingRemoved: (id) => removing.has(id),
  };

  const write = createSignedWrites({ local, devices: options.devices, current: host.current });

  /** Whether this device has the row of a session alone. */
  const isRow = (stored: StoredSession | undefined): boolean => stored !== undefined && factsOf(stored).kind === 'row';

  async function describe(id: string): Promise<SessionSync | undefined> {
    return replication ? replication.describe(id) : (await local.read(id, { after: Infinity })) && withoutRemote;
  }

  /** Reads a session here; fetches its log first, where this device has its row alone. Rejects where that log cannot be fetched. */
  async function read(id: string, readOptions?: { readonly after?: number }): Promise<StoredSession | undefined> {
    const stored = await local.read(id, readOptions);
    if (!isRow(stored)) return stored;
    if (replication === undefined)
      throw new AgentError(`The log of session ${id} is on a remote store, and none is connected.`, {
        code: 'STORAGE_UNAVAILABLE',
        retryable: true,
      });
    await replication.fetch(id);
    return local.read(id, readOptions);
  }

  function disconnect(): void {
    replication?.close();
    replication = undefined;
    links.next();
  }

  function connect(to: Remote, connectOptions?: ConnectOptions): void {
    const checked = checkConnectOptions(to, connectOptions, defaults);
    if (signal.aborted) fail('STORAGE_UNAVAILABLE', 'The synced store has been closed: create another one.');
    // What cannot be connected leaves the remote store that is connected.
    const next = to.replicate({ ...host, options: checked });
    replication?.close();
    replication = next;
    links.next();
  }

  if (remote) connect(remote);

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
        return replication?.locks;
      },
      isElsewhere: async (id) => (await replication?.isElsewhere(id)) ?? false,
      whenChanged: (id, until) => whenChanged(id, until, local, ports),
    }),
    write: (content) => write(content).then(() => replication?.poke(content.sessionId)),
    async remove(id) {
      removing.add(id);
      try {
        if (isRow(await local.read(id, { after: Infinity }))) {
          // What is removed can be restored: its log is fetched first.
          removing.delete(id);
          await read(id, { after: Infinity });
        }
        const wasHere = await local.remove(id);
        replication?.poke(id);
        return wasHere;
      } finally {
        removing.delete(id);
      }
    },
    async restore(id) {
      const isRestored = (await local.restore?.(id)) ?? false;
      if (isRestored) replication?.poke(id);
      return isRestored;
    },
    status$: current(merge(statuses, links), getStatus),
    getStatus,
    sessionSync$: (id) => followed(id, () => describe(id), [local.changes$, syncs], links),
    sync: async () => replication?.sync(),
    connect,
    disconnect,
    close() {
      closing.abort(new AgentError('The replica has been closed.', { code: 'SESSION_BUSY' }));
      replication?.close();
      statuses.complete();
      syncs.complete();
      links.complete();
      local.close();
    },
  };
}
