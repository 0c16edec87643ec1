import { Observable, Subscription } from 'rxjs';
import { AgentError } from '../../core/error.ts';
import type { SessionLocks, SessionStore } from '../../core/model/store.ts';
import { type Base, type Bases, createBases } from './base.ts';
import { compareLists } from './compare-lists.ts';
import { limit } from './limited.ts';
import { createLoop, type Loop } from './loop.ts';
import type { ConnectOptions } from './options.ts';
import type { SyncHost } from './remote.ts';
import type { SyncEnv } from './sides.ts';
import { syncSession } from './sync-session.ts';

/** Name of the lease of the tab that synchronizes; with the id of a session, of the tab that compares that session. */
const lockName = '\u0000replica';

export interface ConnectionOptions
  extends
    Pick<SyncHost, 'local' | 'meta' | 'ports' | 'locks' | 'onStatus' | 'onSync' | 'isBeingRemoved'>,
    Pick<SyncEnv, 'device' | 'devices' | 'toForkTitle' | 'onFork' | 'onTrouble'> {
  readonly remote: SessionStore;
  readonly name: string;
  readonly requestTimeout: number;
  readonly textInterval: number;
  readonly online$: ConnectOptions['online$'];
}

/** The connection to one remote store, until it is closed. */
export interface Connection {
  readonly loop: Loop;
  /** The leases between devices; missing where the remote store has none. */
  readonly locks: SessionLocks | undefined;
  /** Its requests end after `requestTimeout`. */
  readonly remote: SessionStore;
  readonly bases: Bases;
  /** Whether the remote store could not be reached. */
  isFailure(thrown: unknown): boolean;
  isClosed(): boolean;
  /** Performs the work while no other tab compares the session. */
  exclusively<T>(sessionId: string, work: () => Promise<T>): Promise<T>;
  /** Brings the session in step, for a caller that has it exclusively. @throws where the remote store cannot be reached */
  syncNow(sessionId: string): Promise<Base | undefined>;
  /** The remote store has refused a claim, or has not answered: it may have more than is known here. */
  onDoubt(sessionId: string): void;
  /** Brings one session in step. Rejects where that cannot be done. */
  fetch(sessionId: string): Promise<void>;
  /** Resolves when what was written here is noted. */
  whenNoted(sessionId: string): Promise<void>;
  /** Why the session is not synchronized. */
  errorOf(sessionId: string): AgentError | undefined;
  /** Ends the synchronization, and closes the remote store. */
  close(): void;
}

/** Begins to synchronize: one tab of the device receives what other devices store, and each tab sends what it has stored. */
export function createConnection(options: ConnectionOptions): Connection {
  const { local, device, devices, ports, locks, textInterval, onStatus, onSync } = options;
  const { store: remote, isFailure } = limit(options.remote, options.requestTimeout, ports);
  const bases = createBases(options.meta, options.name);
  const closing = new AbortController();
  const { signal } = closing;
  const listening = new Subscription();
  /** Sessions of which the remote store may have more than this device knows. */
  const suspects = new Set<string>();
  const errors = new Map<string, AgentError>();
  /** Writes here that are not noted yet, by session. */
  const noted = new Map<string, Promise<void>>();
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
    onTrouble: options.onTrouble,
    isBeingRemoved: options.isBeingRemoved,
    onFork(fork) {
      loop.poke(fork.keptAs);
      options.onFork(fork);
    },
    async noting(id, work) {
      const done = work();
      const end = done.catch(() => {});
      noted.set(id, end);
      await end;
      if (noted.get(id) === end) noted.delete(id);
      return done;
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
    onStatus,
    async syncOne(id) {
      const result = await exclusively(id, () => compare(id, isHot));
      errors.delete(id);
      onSync(id);
      return result === 'postponed' ? textInterval : undefined;
    },
    onTrouble(sessionId, error) {
      const isNew = errors.get(sessionId)?.message !== error.message;
      errors.set(sessionId, error);
      if (isNew) env.onTrouble({ type: 'refused', sessionId, error });
      onSync(sessionId);
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

  async function compare(id: string, isTextHot?: (id: string) => boolean): Promise<Base | 'postponed' | undefined> {
    const isKnown = !suspects.delete(id);
    try {
      return await syncSession(id, env, isKnown, isTextHot && (() => isTextHot(id)));
    } catch (thrown) {
      suspects.add(id);
      throw thrown;
    }
  }

  async function syncNow(id: string): Promise<Base | undefined> {
    const base = await compare(id);
    return base === 'postponed' ? undefined : base;
  }

  /** The tab that gets this lease receives what other devices store, until it goes away or is disconnected. */
  async function lead(): Promise<void> {
    const lock = await locks.acquire(lockName, signal);
    signal.addEventListener('abort', () => lock.release());
    const hear = (store: SessionStore, isRemote: boolean): Subscription =>
      store.changes$.subscribe((id) => {
        if (isRemote) suspects.add(id);
        loop.poke(id);
      });
    listening.add(hear(local, false));
    listening.add(hear(remote, true));
    await loop.sync();
  }

  const online$: Observable<boolean> = options.online$ ?? onlineOf(options.remote);
  listening.add(
    online$.subscribe((isOnline) => {
      if (isOnline) loop.retry();
    }),
  );
  listening.add(ports.onShow(loop.retry));
  // Rejects when the connection is closed first.
  lead().catch(() => {});

  return {
    loop,
    locks: options.remote.locks,
    remote,
    bases,
    isFailure,
    isClosed: () => signal.aborted,
    exclusively,
    syncNow,
    onDoubt: (id) => void suspects.add(id),
    fetch: (id) => exclusively(id, () => compare(id)).then(() => {}),
    whenNoted: async (id) => noted.get(id),
    errorOf: (id) => errors.get(id),
    close() {
      closing.abort(new AgentError('The replica has been closed.', { code: 'SESSION_BUSY' }));
      listening.unsubscribe();
      remote.close();
    },
  };
}

/** Returns the stream that reports that this device is online again: that of the store, where it has one, else the event of the window. */
function onlineOf(remote: SessionStore & { readonly online$?: Observable<boolean> }): Observable<boolean> {
  return (
    remote.online$ ??
    new Observable((subscriber) => {
      const listening = new AbortController();
      // Node and workers without a window have no such event.
      globalThis.addEventListener?.('online', () => subscriber.next(true), listening);
      return () => listening.abort();
    })
  );
}
