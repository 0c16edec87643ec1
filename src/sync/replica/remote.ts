import type { SessionLocks, SessionStore, SessionWrite, StoreMeta } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';
import type { DecisionGuard } from '../decision-guard.ts';
import type { SessionSync, SyncedStoreStatus, ConnectOptions } from './options.ts';

// The seam between a synced store, which a page loads first, and the code that replicates, which comes with the remote store.

/**
 * A remote store together with the code that replicates it: `createRemote` makes one. A page that keeps its sessions on the device alone loads
 * `createSyncedStore` without it.
 */
export interface Remote {
  /** Begins the synchronization. Called by the synced store. */
  readonly replicate: (host: SyncHost) => Replication;
}

/** What a replication uses of its synced store. */
export interface SyncHost {
  readonly local: SessionStore;
  readonly meta: StoreMeta;
  readonly ports: Ports;
  /** The leases between the tabs of this device. */
  readonly locks: SessionLocks;
  /** Checked. */
  readonly options: ConnectOptions & { readonly device: string };
  /** Since when a session has a claim that waits: ms since the epoch. A claim may wait longer than a replication lasts. */
  readonly waiting: Map<string, number>;
  /** Aborts when the synced store is closed. */
  readonly signal: AbortSignal;
  /** Returns the replication with the remote store that is connected now; `undefined` where none is. */
  readonly current: () => Replication | undefined;
  readonly onStatus: () => void;
  /** What is known of a session beside what is stored may have changed. */
  readonly onSync: (sessionId: string) => void;
  /** Whether a person has removed the session, and it is still stored here. */
  readonly isBeingRemoved: (sessionId: string) => boolean;
}

/** What became of one try to store a claim. `unreached`: the remote store has not answered, or another one is connected by now. */
type ClaimOutcome =
  | { readonly is: 'stored' }
  | { readonly is: 'refused' }
  | { readonly is: 'unreached'; readonly cause: unknown };

/** The synchronization with one remote store, until it is closed. */
export interface Replication {
  /** Signs the decisions of this device. */
  readonly devices: DecisionGuard | undefined;
  /** The leases between devices; missing where the remote store has none. */
  readonly locks: SessionLocks | undefined;
  getStatus(): SyncedStoreStatus;
  /** Resolves with how a session relates to the remote store; `undefined` where this device does not have it. */
  describe(sessionId: string): Promise<SessionSync | undefined>;
  /** Whether the log says that another device runs the session. */
  isElsewhere(sessionId: string): Promise<boolean>;
  /** A session may have changed here. */
  poke(sessionId: string): void;
  /** Compares everything now. Rejects with the error of the store that could not be reached. */
  sync(): Promise<void>;
  /** Brings one session in step. Rejects where that cannot be done. */
  fetch(sessionId: string): Promise<void>;
  /** Whether the write may have to be on the remote store first. Decided within the call. */
  mayClaim(write: SessionWrite): boolean;
  /** Stores a write that `mayClaim`: first on the remote store that is connected, where it has to be, then here. */
  claim(write: SessionWrite): Promise<void>;
  /** Tries once to store a claim on this remote store, then here. Rejects with the error of the local store, and for a write that does not fit. */
  tryClaim(write: SessionWrite, isLate: () => boolean): Promise<ClaimOutcome>;
  /** Ends the synchronization, and closes the remote store. */
  close(): void;
}
