import type { AgentError } from '../error.ts';
import type { SessionEvent } from './event.ts';
import type { SessionWrite, StoredSession } from './store.ts';
import { lineageOf } from './write-id.ts';

/** Whether the events in memory are also in the store: the public view of `SyncState`. */
export type StorageStatus =
  /** There is no store, or the store lasts only as long as the page because the browser opened no database. */
  | { readonly state: 'memory' }
  | { readonly state: 'saved' }
  | { readonly state: 'saving' }
  /** The session continues in memory; missing events are written as soon as the store accepts them. */
  | { readonly state: 'failed'; readonly error: AgentError }
  /** The store refused a write because the stored log has changed: nothing is written until the whole log has been read again. */
  | { readonly state: 'stale'; readonly error: AgentError }
  /** The stored session is damaged, in whole or in part: the session can be read, exported and removed. */
  | { readonly state: 'read-only'; readonly error: AgentError };

/** How one tab's log relates to the store and to the other tabs: plain data, changed by `sync` alone. */
export interface SyncState {
  /** `dirty`: events wait to be written. `saving`: a write is under way. `failed` lasts until a write succeeds. */
  readonly phase: 'memory' | 'saved' | 'dirty' | 'saving' | 'failed' | 'stale' | 'read-only';
  /** The public status with the error, in the phases `failed`, `stale` and `read-only`. */
  readonly problem?: Extract<StorageStatus, { readonly error: AgentError }> | undefined;
  /** `seq` of the last event known to be in the store. */
  readonly stored: number;
  /** `seq` that the store will have when every write under way has succeeded. */
  readonly sent: number;
  /** `writeId` of the write that results in `sent`; `undefined` if that write has no id, or its id is not known. */
  readonly sentId?: string | undefined;
  /** Lineage of the log: the beginning of the ids of its writes. */
  readonly lineage: string;
  /** Unique among the writers of the log, and the number of writes so far: together the name of the next write. */
  readonly writer: string;
  readonly writes: number;
  /** Ends of the refused writes since the last accepted one: the store may end with one of them although its answer was an error. */
  readonly unsure: readonly Tip[];
  /** Events that are not stored and in no write under way, oldest first. */
  readonly unsaved: readonly SessionEvent[];
  /** Whether `unsaved` is written at the end of the turn, or when the write under way ends. */
  readonly isUrgent: boolean;
  /** Whether the timer runs: for text that waits to be grouped, or for the next try after a failure. */
  readonly isTimed: boolean;
  /** Writes under way: at most one, and a second only when the page hides. */
  readonly inFlight: number;
  /** Writes that have failed while another one was under way. */
  readonly refused: readonly RefusedWrite[];
  /** `seq` of the last event that is known to be plain JSON, after the store has refused a write as `STORAGE_REJECTED`. */
  readonly plainUpTo: number;
  /**
   * Most events of one write, while the event is looked for that the store refuses for good: halved by a refusal, doubled by a success;
   * `undefined` otherwise.
   */
  readonly pieces?: number | undefined;
  /** Events of the open run that are in the store, rewritten together when the run ends. */
  readonly runEvents: readonly SessionEvent[];
  /** ms until the next try after a failure. */
  readonly retryIn: number;

  /** Whether other tabs' changes are followed. */
  readonly isFollowing: boolean;
  /** The read under way: of the whole log, of its events above the kept state at `base`, or of the events above `after`. */
  readonly reading?:
    | { readonly isWhole: boolean; readonly after: number; readonly base?: number | undefined }
    | undefined;
  /** Whether another read starts when the read under way ends. */
  readonly mustReadAgain: boolean;
  /**
   * Changes that the store reported since the log was last saved, less the acknowledged writes of this tab. Above 0, the store is read
   * when every event is stored; `Infinity` always causes that read.
   */
  readonly heard: number;
  /** `seq` of the store when it last refused a write, and how often in a row it refused at that `seq`. */
  readonly refusedAt: number;
  readonly refusals: number;
  /** `reappend` actions whose events are not all in the log again: some wait for the end of another tab's run. */
  readonly reappends: number;
  /** Incremented each time this tab loses the session to another one: a `flush` that began before rejects. */
  readonly generation: number;

  /** Whether the store has locks. */
  readonly canLock: boolean;
  /** `waiting`: this tab is in the lock queue. `held`: this tab has the lock. */
  readonly lease: 'none' | 'waiting' | 'held';
  /** Set while another tab runs the session and this tab waits in the lock queue, to recover the run if that tab closes. */
  readonly watch?: Watch | undefined;
  /** Whether the lease is released as soon as every event is stored. */
  readonly isResting: boolean;
  readonly isClosed: boolean;
}

/** A wait for the lock of a session that another tab runs. */
interface Watch {
  /** `seq` of the log when this tab took its place in the lock queue. */
  readonly seq: number;
  /** Whether this tab has got the lock and is reading the store to learn whether the run ended normally. */
  readonly isLooking: boolean;
  /** Whether the user called `takeOver`: the run of the other tab ends even if that tab has stored events since. */
  readonly isForced?: boolean;
}

/** The end of a stored log: `seq` of the last event, and `writeId` of the last write. */
export interface Tip {
  readonly seq: number;
  readonly writeId?: string | undefined;
}

/** The events of one write. `seq` is that of the last event. */
export interface Batch extends Tip {
  readonly events: readonly SessionEvent[];
  /** The end of the stored log on which the write builds (compare-and-set). */
  readonly expected: Tip;
  readonly endsRun: boolean;
}

interface RefusedWrite {
  readonly batch: Batch;
  readonly error: AgentError;
}

/** Facts about the session at the time of a signal. */
export interface SyncFacts {
  /** Whether the log's status is `running`. */
  readonly isRunning: boolean;
  /** Whether this tab drives the session's last run. */
  readonly isDriving: boolean;
  /** `seq` of a state that this tab has kept, from before the last run of another tab. Invariant: no store rewrites events up to it. */
  readonly base?: number | undefined;
}

/** What a read found. `erased`: the browser has deleted the session; no person removed it. */
export type Found = StoredSession | 'removed' | 'erased';

/** An input of `sync`: what has happened to the log, the store, the lock or the page. */
export type Signal =
  /** Events are waiting in `collected`. Not sent when the next write includes them anyway: see `isInNextWrite`. */
  | { readonly type: 'appended'; readonly isUrgent: boolean }
  /** The turn in which an urgent event was appended is over. */
  | { readonly type: 'turn' }
  | { readonly type: 'timer' }
  /** The page is hidden and may be closed before the next turn. */
  | { readonly type: 'hidden' }
  | { readonly type: 'flush'; readonly durability: SessionWrite['durability'] }
  | { readonly type: 'saved'; readonly batch: Batch }
  | { readonly type: 'refused'; readonly batch: Batch; readonly error: AgentError }
  /** The session begins to follow the store. */
  | { readonly type: 'opened' }
  /** The store reports that the session has changed. */
  | { readonly type: 'changed' }
  /** The log has to contain what the store contains now. */
  | { readonly type: 'look' }
  | { readonly type: 'read'; readonly found: Found }
  | { readonly type: 'unreadable' }
  /** An erased session has been stored again, by this write. */
  | { readonly type: 'restored'; readonly write: Pick<SessionWrite, 'events' | 'writeId' | 'summary'> }
  /** The event with this `seq` is not to be stored: it was appended on the condition that the store accepts it. */
  | { readonly type: 'withdrawn'; readonly seq: number }
  /** The events of a `reappend` action are in the log again. */
  | { readonly type: 'reappended' }
  /** A run needs the lease. */
  | { readonly type: 'own' }
  /** A person takes the session from a tab that does not respond. */
  | { readonly type: 'steal' }
  | { readonly type: 'acquired' }
  /** The lock was not granted. */
  | { readonly type: 'denied' }
  /** Another tab has taken the lock. */
  | { readonly type: 'lost' }
  /** The status of the session may have changed. */
  | { readonly type: 'status' }
  | { readonly type: 'closed' };

/** What the replica performs with store, timers and locks. */
export type LinkAction =
  /** Signals `timer` after `ms`; replaces an earlier timer. */
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
  /** Reads the events above `after`; without `after`, the whole log. */
  | { readonly do: 'read'; readonly after?: number }
  /** Stores the log of this tab in place of an erased session. */
  | { readonly do: 'restore' }
  | { readonly do: 'acquire' }
  | { readonly do: 'steal' }
  | { readonly do: 'release' }
  /** Adds stored events to the log. */
  | { readonly do: 'accept'; readonly events: readonly SessionEvent[] }
  /** Replaces the log, or its end above the kept state at `base`, by these events, and publishes `news`: those that are new here. */
  | {
      readonly do: 'reset';
      readonly events: readonly SessionEvent[];
      readonly news: readonly SessionEvent[];
      readonly base?: number | undefined;
    };

/** What the session performs. */
export type SessionAction =
  /** Another tab has stored events since this tab last read the store: aborts the run of this tab without an event. */
  | { readonly do: 'yield' }
  /**
   * The store refused these events because another tab wrote first. The events of a user among them are appended again, and the promises
   * of the lost run resolve as `failed`.
   */
  | { readonly do: 'reappend'; readonly events: readonly SessionEvent[] }
  /** Another tab stored concurrent events: the next step may be due here. */
  | { readonly do: 'advance' }
  /** No tab runs the session: ends the run that its owner left open. */
  | { readonly do: 'recover' }
  /** The browser has erased the session: ends the run before the session is stored again. */
  | { readonly do: 'abort' }
  /** The session has been removed. */
  | { readonly do: 'close' };

export type Action = LinkAction | SessionAction;

/** The next state, and the actions to perform, in order. */
export type Transition = readonly [SyncState, readonly Action[]];

/** ms that streamed text waits, so that several deltas are one write. */
export const groupFor = 100;
/** Unsaved characters of one part that are written without waiting. */
export const groupUpTo = 2_048;
/** ms until a failed write is tried again; doubled with each failure, up to `lastRetry`. */
export const firstRetry = 1_000;
export const lastRetry = 30_000;
/** How often a refused write is appended again while the `seq` of the store stays the same. */
export const tries = 3;

/** What `initialSync` needs to know of a log that has been loaded. */
export interface SyncStart {
  readonly phase: 'memory' | 'saved' | 'read-only';
  readonly problem?: SyncState['problem'];
  /** `seq` of the last event in the store; 0 for a new session. */
  readonly stored: number;
  /** `writeId` of the last write in the store. */
  readonly writeId?: string | undefined;
  /** Unique among the writers of the log. */
  readonly writer: string;
  readonly canLock: boolean;
}

/** Returns the state of a log before the first signal. */
export function initialSync({ phase, problem, stored, writeId, writer, canLock }: SyncStart): SyncState {
  return {
    phase,
    problem,
    stored,
    sent: stored,
    sentId: writeId,
    lineage: lineageOf(writeId) ?? writer,
    writer,
    writes: 0,
    unsure: [],
    unsaved: [],
    isUrgent: false,
    isTimed: false,
    inFlight: 0,
    refused: [],
    plainUpTo: 0,
    runEvents: [],
    retryIn: firstRetry,
    isFollowing: false,
    mustReadAgain: false,
    heard: 0,
    refusedAt: 0,
    refusals: 0,
    reappends: 0,
    generation: 0,
    canLock,
    lease: 'none',
    isResting: false,
    isClosed: false,
  };
}

const statuses = {
  memory: { state: 'memory' },
  saved: { state: 'saved' },
  saving: { state: 'saving' },
} as const;

/** Returns the public status of a state; the same object for as long as the status does not change. */
export function toStorageStatus({ phase, problem, reappends }: SyncState, isPersistent: boolean): StorageStatus {
  if (problem !== undefined) return problem;
  if (!isPersistent) return statuses.memory;
  if (reappends > 0) return statuses.saving;
  return statuses[phase === 'memory' || phase === 'saved' ? phase : 'saving'];
}

/** Returns the `seq` of the last event of the log, stored or not. */
export function lastSeq({ unsaved, sent }: SyncState): number {
  return unsaved.at(-1)?.seq ?? sent;
}
