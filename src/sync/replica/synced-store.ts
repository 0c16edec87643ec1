import type { Observable } from 'rxjs';
import type { SessionStore } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';
import type { ConnectOptions, SessionSync, SyncedStoreStatus } from './options.ts';
import type { Remote } from './remote.ts';

/** Options of `createSyncedStore`. */
export interface SyncedStoreOptions extends ConnectOptions {
  /** The store of this device, which all reads and writes use first: it needs `meta` and `wasRemoved`, and `locks` where several tabs share it. */
  readonly local: SessionStore;
  /**
   * The store that all devices share: `createRemote` makes it of any store. Without it the synced store keeps its sessions on this device
   * alone, until `connect`.
   */
  readonly remote?: Remote;
  /** Clock, ids and timers, for tests. Default: those of the browser. */
  readonly ports?: Partial<Ports>;
}

/** A store that keeps the sessions of one device in step with a store that several devices share. */
export interface SyncedStore extends SessionStore {
  /** Emits the current status on subscription, then each new one. */
  readonly status$: Observable<SyncedStoreStatus>;
  getStatus(): SyncedStoreStatus;
  /** Emits how a session relates to the remote store: on subscription, then after each change. `undefined`: this device does not have it. */
  sessionSync$(sessionId: string): Observable<SessionSync | undefined>;
  /**
   * Connects a remote store, in the place of the one that is connected, which is closed. What that one does not have yet is stored on the new
   * one. A claim that waits goes to the new one, too.
   *
   * @param remote of `createRemote`
   * @param options come before those of `createSyncedStore`
   * @throws AgentError `INVALID_CONFIG` for an option that does not fit, where neither has a `device`, and for a remote that is connected already;
   * the remote store that is connected stays then
   */
  connect(remote: Remote, options?: ConnectOptions): void;
  /**
   * Ends the synchronization and closes the remote store. The sessions stay on this device, and what is written meanwhile is stored on the
   * store that is connected next. A claim that waits fails after `claimTimeout`, unless a store is connected before.
   */
  disconnect(): void;
  /**
   * Compares all sessions with the remote store now, also during a wait for the next try. Resolves when they are in step; rejects with the
   * error of the store that could not be reached. Resolves at once where no remote store is connected.
   */
  sync(): Promise<void>;
}
