import { createEmitter } from '../emitter.ts';
import { toAgentError } from '../error.ts';
import type { SessionEvent } from '../model/event.ts';
import type { StorageStatus } from '../model/sync-state.ts';
import { current } from './current.ts';
import type { Replica, SyncedStoreOptions } from './replica.ts';

const saving: StorageStatus = { state: 'saving' };

/**
 * Creates a replica whose code is still loading: keeps the events until then, and passes everything on from then on.
 *
 * Invariant: nothing is stored, read or locked before the code is loaded, so that no other tab knows of the session.
 *
 * If the code cannot be loaded, the session stays in memory, and its storage is reported as failed.
 */
export function createPendingReplica(
  loading: Promise<{ readonly createSyncedStore: (options: SyncedStoreOptions) => Replica }>,
  options: SyncedStoreOptions,
): Replica {
  const start = options.log.getState();
  let events: SessionEvent[] = [];
  let loaded: Replica | undefined;
  let failed: StorageStatus | undefined;
  let wantsLease = false;
  let isClosed = false;
  const changes = createEmitter<void>();
  const getStatus = (): StorageStatus => loaded?.getStatus() ?? failed ?? saving;

  async function load(): Promise<Replica> {
    const { createSyncedStore } = await loading;
    loaded = createSyncedStore({ ...options, start });
    // Invariant: a tab is in the lock queue before another tab can read that it runs the session.
    if (wantsLease) loaded.acquireLease().catch(() => {});
    events.forEach(loaded.add);
    events = [];
    loaded.status$.subscribe(() => changes.next());
    if (isClosed) loaded.close();
    return loaded;
  }

  const ready = load();
  ready.catch((thrown: unknown) => {
    failed = { state: 'failed', error: toAgentError(thrown) };
    changes.next();
  });

  return {
    add(event) {
      if (loaded) loaded.add(event);
      else events.push(event);
    },
    flush: async (durability) => (await ready).flush(durability),
    withdraw: (callId) => loaded?.withdraw(callId) ?? 'lost',
    flushNow: () => loaded?.flushNow(),
    status$: current(changes.stream$, getStatus),
    getStatus,
    follow: (follower) => loaded?.follow(follower),
    catchUp: () =>
      ready.then(
        (replica) => replica.catchUp(),
        () => {},
      ),
    isReading: () => loaded?.isReading() ?? false,
    isSaved: () => loaded?.isSaved() ?? false,
    isClosed: () => loaded?.isClosed() ?? isClosed,
    async acquireLease() {
      wantsLease = true;
      await (await ready).acquireLease();
    },
    takeOver: async () => (await ready).takeOver(),
    noteStatus: () => loaded?.noteStatus(),
    noteReplayed: () => loaded?.noteReplayed(),
    close() {
      // A session that is closed before its code is loaded has been removed: every other way to close it waits for `flush`.
      isClosed = true;
      loaded?.close();
    },
  };
}
