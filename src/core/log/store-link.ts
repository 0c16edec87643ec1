import type { Observable } from 'rxjs';
import type { AgentError } from '../error.ts';
import type { SessionEvent } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStore, SessionWrite } from '../model/store.ts';
import type { SessionAction, StorageStatus } from '../model/sync-state.ts';
import type { Ports } from '../ports.ts';
import type { Log } from './log.ts';

/** The session that a link keeps in step with the store. */
export interface Follower {
  /** Whether this tab drives the session's last run. */
  isDriving(): boolean;
  /** Performs an action that `sync` leaves to the session. */
  perform(action: SessionAction): void;
}

/**
 * The state of a decision that a write could not store. `withdrawn`: it is not in the log any more. `stored`: another write has stored it.
 * `under-way`: a write that may contain it is under way. `lost`: the stored log has replaced the log of this tab, or is about to.
 */
type Withdrawal = 'withdrawn' | 'stored' | 'under-way' | 'lost';

/** Keeps the log of this tab in step with the stored log. `sync` returns actions (read, write, lock, wait); the link executes them. */
export interface StoreLink {
  /** Adds an appended event to the events to be stored. */
  add(event: SessionEvent): void;
  /**
   * Resolves when every event added so far is stored, after any events that other tabs stored in the meantime. Rejects with the
   * `AgentError` of the store; with `STORAGE_CONFLICT` when another tab has stored events since this tab last read.
   */
  flush(durability?: SessionWrite['durability']): Promise<void>;
  /**
   * Removes the decision on a call from the log whose write was refused. Returns the state of the decision.
   */
  withdraw(callId: string): Withdrawal;
  /** Starts a write of all unsaved events within this call: the page may be closed in the next turn. */
  flushNow(): void;
  readonly status$: Observable<StorageStatus>;
  getStatus(): StorageStatus;
  /** Follows the store and the other tabs from now on; passes actions of the session to the follower. */
  follow(follower: Follower): void;
  /** Resolves when the log contains what the store contained at the time of the call, or the read failed; never rejects. */
  catchUp(): Promise<void>;
  isReading(): boolean;
  /** Whether the store contains every event of the log, also if the store lasts only as long as the page. */
  isSaved(): boolean;
  isClosed(): boolean;
  /**
   * Resolves when this tab has the lease; immediately if the store has no locks. Rejects with `SESSION_BUSY` if this tab leaves the lock
   * queue first.
   */
  acquireLease(): Promise<void>;
  /** Steals the lease from a tab that does not respond, then reads the store. */
  takeOver(): Promise<void>;
  /** Called when every event of a `reappend` action is in the log again. */
  noteReappended(): void;
  /** Called when the status of the session may have changed: acquires or releases the lease as that status requires. */
  noteStatus(): void;
  /** Stops writing, and stops following the store. */
  close(): void;
}

export interface StoreLinkOptions {
  readonly log: Log;
  readonly store: SessionStore | undefined;
  /** Why the stored session is read-only; `store` is then `undefined`. */
  readonly damage?: AgentError | undefined;
  /** The state of the stored events. Default: that of the log. */
  readonly start?: SessionState;
  /** Names the last stored write. */
  readonly last?: Pick<SessionWrite, 'writeId'> | undefined;
  readonly ports: Pick<Ports, 'id' | 'delay' | 'onHide' | 'onShow'>;
}
