import type { AgentError } from '../error.ts';
import type { SessionEvent } from './event.ts';
import type { SessionWrite, StoredSession } from './store.ts';

/** Whether what is on screen is also in the store: the public view of `SyncState`. */
export type StorageStatus =
  /** There is no store, or the store lasts no longer than the page: the browser opened no database. */
  | { readonly state: 'memory' }
  | { readonly state: 'saved' }
  | { readonly state: 'saving' }
  /** The session goes on in memory; missing events are written as soon as the store takes them. */
  | { readonly state: 'failed'; readonly error: AgentError }
  /** Another tab changed the session, or the store reports so: nothing is written until the session has been read again. */
  | { readonly state: 'stale'; readonly error: AgentError }
  /** The stored session cannot be understood, or not all of it: the session can be read, exported and removed. */
  | { readonly state: 'read-only'; readonly error: AgentError };

/** How one tab's log relates to the store and to the other tabs: plain data, changed by `sync` alone. */
export interface SyncState {
  /** `dirty`: events wait to be written. `saving`: a write is under way. `failed` lasts until a write succeeds. */
  readonly phase: 'memory' | 'saved' | 'dirty' | 'saving' | 'failed' | 'stale' | 'read-only';
  /** Why, in the phases `failed`, `stale` and `read-only`. */
  readonly problem?: Extract<StorageStatus, { readonly error: AgentError }> | undefined;
  /** `seq` of the last event known to be in the store. */
  readonly stored: number;
  /** `seq` that the store will have when every write under way has succeeded. */
  readonly sent: number;
  /** Events that are in no write under way, oldest first. */
  readonly unsaved: readonly SessionEvent[];
  /** Whether `unsaved` is written at the end of the turn, or as soon as the write under way has ended. */
  readonly isUrgent: boolean;
  /** Whether the timer runs: for text that waits to be grouped, or for the next try after a failure. */
  readonly isTimed: boolean;
  /** Writes under way: at most one, and a second only when the page hides. */
  readonly inFlight: number;
  /** Writes that have failed while another one was under way. */
  readonly refused: readonly RefusedWrite[];
  /** Events of the open run that are in the store, rewritten together when the run ends. */
  readonly runEvents: readonly SessionEvent[];
  /** ms until the next try after a failure. */
  readonly retryIn: number;

  /** Whether other tabs' changes are followed. */
  readonly isFollowing: boolean;
  /** The read under way: of the whole log, or of the events above `after`. */
  readonly reading?: { readonly isWhole: boolean; readonly after: number } | undefined;
  readonly mustReadAgain: boolean;
  /** Changes heard since the log was last saved, less the own writes acknowledged since. */
  readonly heard: number;
  /** `seq` of the store when it last refused a write, and how often in a row it refused at that `seq`. */
  readonly refusedAt: number;
  readonly refusals: number;
  /** Grows each time this tab lost its place to another one: what was waited for before is over. */
  readonly generation: number;

  readonly canLock: boolean;
  readonly lease: 'none' | 'waiting' | 'held';
  /** Waits for the tab that runs the session to vanish. */
  readonly watch?: Watch | undefined;
  /** Whether the lease is released as soon as everything is stored. */
  readonly isResting: boolean;
  readonly isClosed: boolean;
}

interface Watch {
  /** `seq` of the log when this tab took its place in the lock queue. */
  readonly seq: number;
  /** Whether the lease is held and the store is being read to see what has become of the session. */
  readonly isLooking: boolean;
  /** A person takes the session: what stands in the log does not matter. */
  readonly isForced?: boolean;
}

/** The events of one write. */
export interface Batch {
  readonly events: readonly SessionEvent[];
  readonly expectedSeq: number;
  readonly seq: number;
  readonly endsRun: boolean;
}

interface RefusedWrite {
  readonly batch: Batch;
  readonly error: AgentError;
}

/** What the session is doing when a signal comes. */
export interface SyncFacts {
  /** Whether the log's status is `running`. */
  readonly isRunning: boolean;
  /** Whether this tab drives the session's last run. */
  readonly isDriving: boolean;
}

/** What a read found. `erased`: the browser has dropped the session; nobody removed it. */
export type Found = StoredSession | 'removed' | 'erased';

/** What happens to a replica. */
export type Signal =
  /** An event has been appended: see `isNoted`. */
  | { readonly type: 'appended'; readonly isUrgent: boolean }
  /** The turn in which something urgent was appended is over. */
  | { readonly type: 'turn' }
  | { readonly type: 'timer' }
  /** The page may be gone in the next turn. */
  | { readonly type: 'hidden' }
  | { readonly type: 'flush'; readonly durability: SessionWrite['durability'] }
  | { readonly type: 'saved'; readonly batch: Batch }
  | { readonly type: 'refused'; readonly batch: Batch; readonly error: AgentError }
  /** The session begins to follow the store. */
  | { readonly type: 'opened' }
  /** The store reports that the session has changed. */
  | { readonly type: 'changed' }
  /** Someone wants the log to hold what the store holds now. */
  | { readonly type: 'look' }
  | { readonly type: 'read'; readonly found: Found }
  | { readonly type: 'unreadable' }
  /** An erased session has been stored anew, as these events. */
  | { readonly type: 'restored'; readonly events: readonly SessionEvent[] }
  /** A run needs the lease. */
  | { readonly type: 'own' }
  /** A person takes the session from a tab that does not answer. */
  | { readonly type: 'steal' }
  | { readonly type: 'acquired' }
  /** The lock cannot be had. */
  | { readonly type: 'denied' }
  /** Another tab has taken the lock. */
  | { readonly type: 'lost' }
  /** What the session is doing may have changed. */
  | { readonly type: 'status' }
  | { readonly type: 'closed' };

/** What the performer does with store, timers and locks. */
export type ReplicaAction =
  /** Signals `timer` after `ms`, in place of an earlier timer. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'stop-timer' }
  /** Signals `turn` at the end of this turn. */
  | { readonly do: 'end-turn' }
  | {
      readonly do: 'write';
      readonly batch: Batch;
      readonly durability: SessionWrite['durability'];
      readonly content: Pick<SessionWrite, 'events' | 'replaces' | 'phase'>;
    }
  /** Reads the events above `after`, or all. */
  | { readonly do: 'read'; readonly after?: number }
  /** Stores what this tab knows of an erased session. */
  | { readonly do: 'restore' }
  | { readonly do: 'acquire' }
  | { readonly do: 'steal' }
  | { readonly do: 'release' }
  /** Adds stored events to the log. */
  | { readonly do: 'accept'; readonly events: readonly SessionEvent[] }
  /** Puts another log in the place of this one, and publishes those of its events that are new here. */
  | { readonly do: 'reset'; readonly events: readonly SessionEvent[]; readonly news: readonly SessionEvent[] };

/** What the session does. */
export type SessionAction =
  /** Another tab was first: aborts the run without a word. */
  | { readonly do: 'yield' }
  /** Does again what a person did here and the store refused; what ran here has failed. */
  | { readonly do: 'replay'; readonly events: readonly SessionEvent[] }
  /** Another tab wrote beside this one: the next step may be due here. */
  | { readonly do: 'advance' }
  /** Nobody runs the session: closes what its owner left open. */
  | { readonly do: 'recover' }
  /** The browser has erased the session: ends the run before the session is stored anew. */
  | { readonly do: 'abort' }
  /** The session has been removed. */
  | { readonly do: 'close' };

export type Action = ReplicaAction | SessionAction;

export type Transition = readonly [SyncState, readonly Action[]];

/** ms that text waits for more … */
export const groupFor = 100;
/** … unless there are this many characters of one part. */
export const groupUpTo = 2_048;
/** ms; doubled with each failure, up to `lastRetry`. */
export const firstRetry = 1_000;
export const lastRetry = 30_000;
/** A refused write is tried again so often while the store's `seq` stays the same. */
export const tries = 3;

export interface SyncStart {
  readonly phase: 'memory' | 'saved' | 'read-only';
  readonly problem?: SyncState['problem'];
  /** `seq` of the last event in the store; 0 for a new session. */
  readonly stored: number;
  readonly canLock: boolean;
}

export function initialSync({ phase, problem, stored, canLock }: SyncStart): SyncState {
  return {
    phase,
    problem,
    stored,
    sent: stored,
    unsaved: [],
    isUrgent: false,
    isTimed: false,
    inFlight: 0,
    refused: [],
    runEvents: [],
    retryIn: firstRetry,
    isFollowing: false,
    mustReadAgain: false,
    heard: 0,
    refusedAt: -1,
    refusals: 0,
    generation: 0,
    canLock,
    lease: 'none',
    isResting: false,
    isClosed: false,
  };
}

const plain = {
  memory: { state: 'memory' },
  saved: { state: 'saved' },
  saving: { state: 'saving' },
} as const;

/** The same object for as long as nothing changed. */
export function toStorageStatus({ phase, problem }: SyncState, isPersistent: boolean): StorageStatus {
  if (problem !== undefined) return problem;
  if (!isPersistent) return plain.memory;
  return plain[phase === 'memory' || phase === 'saved' ? phase : 'saving'];
}

/** `seq` of the last event of the log, be it stored or not. */
export function lastSeq({ unsaved, sent }: SyncState): number {
  return unsaved.at(-1)?.seq ?? sent;
}
