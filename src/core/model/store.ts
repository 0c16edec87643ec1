import type { Observable } from 'rxjs';
import type { Json, JsonObject } from '../json.ts';
import type { CallPlace, SessionEvent } from './event.ts';
import type { SessionStatus } from './status.ts';
import type { Usage } from './message.ts';
import type { WaitingCall } from './waiting.ts';

/**
 * What a synced store states of the write that stored a row (`createSyncedStore` of `brooklet/sync`). A store keeps it with the row, and reads
 * nothing of it.
 */
export interface RowOrigin {
  /**
   * `writeId` of the write that stored the row. Invariant: the other fields are about this write alone. Where the last write of the log has
   * another id, a page has written to the log since, and they do not count.
   */
  readonly writeId: string;
  /** Name of the device that runs the session: the one that last stored events of a run. Missing for the device of the store itself. */
  readonly device?: string;
  /**
   * What the log is. `row`: the row of another device's session, whose events are not here yet. `mark`: it has the place of a removed session.
   * `kept`: it keeps a part of another log, and no page has written to it since. Missing: the log of a session.
   */
  readonly kind?: 'row' | 'mark' | 'kept';
  /** Of `kept`: names the end of the log that is kept. */
  readonly of?: string;
}

/** The row of a session in a list, written together with the events that it summarizes. */
export interface SessionSummary {
  readonly id: string;
  /** The calls that led to this session (`agentTool`), that of the root first; missing for a session that no call has started. */
  readonly path?: readonly CallPlace[];
  /** Number of sessions that calls of this session have started (`agentTool`); missing for none. */
  readonly children?: number;
  /** The given title, else the beginning of the first user message, also after it was edited, else empty. */
  readonly title: string;
  /** ms since the epoch */
  readonly createdAt: number;
  /** When something last happened in the conversation: ms since the epoch. A new title or new metadata do not count. */
  readonly updatedAt: number;
  readonly status: SessionStatus;
  readonly messageCount: number;
  /** Tokens of all replies and compactions together. */
  readonly usage: Usage;
  /** `seq` of the last event. */
  readonly seq: number;
  /** The page's own data about the session, of at most 4,096 characters of JSON: every list reads it. */
  readonly metadata?: JsonObject;
  /**
   * The calls that wait for a person, in the order of the reply, at most the first 20. Missing where no call waits, and in rows of older
   * versions, of which `status` alone states that a call waits.
   */
  readonly waiting?: readonly WaitingCall[];
  /** What a synced store states of the write that stored the row. Missing in rows that a page has stored, and in rows of older versions. */
  readonly origin?: RowOrigin;
}

/**
 * Values by key of the metadata; keys that are not named may have any value. A list in the metadata has each of its items: `{ labels: 'work' }`
 * finds `labels: ['work', 'urgent']`. `{ not: value }` finds the sessions without the value, also those without the key:
 * `{ archived: { not: true } }`.
 */
export type MetadataFilter = {
  readonly [key: string]: string | number | boolean | null | { readonly not: string | number | boolean | null };
};

/** One atomic write: first the removals, then the events, then the row. */
export interface SessionWrite {
  readonly sessionId: string;
  /** In ascending order of `seq`, all above the stored events, except events that replace a removed range. */
  readonly events: readonly SessionEvent[];
  /** Ranges of `seq` of stored events to remove first: `[from, to]`, both included. `events` contains their content, joined. */
  readonly replaces?: readonly (readonly [from: number, to: number])[];
  readonly summary: SessionSummary;
  /** `seq` of the last stored event as the writer knows it; 0 for a new session. */
  readonly expectedSeq: number;
  /**
   * `<lineage>/<name>`: unique for each write, and the same when the same write is repeated. The lineage is the same for all writes of a
   * log; a write that replaces the past of the log, such as an import, begins another one.
   */
  readonly writeId?: string | undefined;
  /** `writeId` of the last stored write as the writer knows it; missing where the writer does not know it, and for a new session. */
  readonly expectedWriteId?: string | undefined;
  /** `strict` resolves after the data is on disk, for writes that an effect follows. */
  readonly durability: 'relaxed' | 'strict';
  /**
   * A hint for the store. `streaming`: the write only extends or ends a reply. The store may defer the row to the next write without this
   * hint, so that `list` returns the previous row; `read` still returns the true `seq`. `settled`: no later write replaces any of these
   * events.
   */
  readonly phase?: 'streaming' | 'settled';
}

/** Options of `SessionStore.list`: page size, page and search. */
export interface ListOptions {
  /** Rows in one page. Default 50. */
  readonly limit?: number;
  /** `cursor` of the previous page. Default: the first page. */
  readonly cursor?: string;
  /** Words separated by spaces: only sessions whose title or messages contain every word, also within words and in any case. */
  readonly search?: string;
  /** Only sessions whose metadata fit each of these values. The store looks at the rows of the list one by one until the page is full. */
  readonly where?: MetadataFilter;
  /**
   * `true`: only sessions in which a call waits for a person, those with the status `waiting` and those with `waiting` calls. The store finds
   * them by an index, not by the rows of the others. Default `false`.
   */
  readonly waiting?: boolean;
  /**
   * `true`: also the sessions that calls have started (`SessionSummary.path`); a list of those that wait for a person has them in any case.
   * Default `false`.
   */
  readonly children?: boolean;
  /** Cancels a search, which then rejects with `ABORTED`. A store may ignore the signal. */
  readonly signal?: AbortSignal;
  /** Notified of the progress of a long search, such as the first search over many sessions. A store may never call it. */
  readonly onProgress?: (progress: SearchProgress) => void;
}

/** Progress of a search, in sessions. A search ends before `total` when its page is full. */
export interface SearchProgress {
  /** Number of sessions that have been searched. */
  readonly done: number;
  readonly total: number;
}

/** One page of a list of sessions. */
export interface SessionPage {
  /** The most recently changed session first. */
  readonly sessions: readonly SessionSummary[];
  /** Start of the next page, for `ListOptions.cursor`; missing on the last page. */
  readonly cursor?: string;
}

/** The result of `SessionStore.read`: the summary and the events of a session. */
export interface StoredSession {
  /** `seq` is always that of the last event; the other fields may be as old as the row in the list while a reply streams. */
  readonly summary: SessionSummary;
  /** In ascending order of `seq`. */
  readonly events: readonly SessionEvent[];
  /** `writeId` of the last write; missing where that write had none. */
  readonly writeId?: string;
  /** Which part of the session cannot be read, as text for an error message; nothing may be written to such a session. */
  readonly damage?: string;
}

/**
 * A store of sessions: required methods, and optional ones that a store may omit. `createIndexedDBStore` and `createMemoryStore` make
 * stores; `storeContract` of `brooklet/testing` tests a store of the page's own.
 */
export interface SessionStore {
  /** Returns one page of sessions, the most recently changed first. */
  list(options?: ListOptions): Promise<SessionPage>;
  /** Returns the session, or `undefined` when the store does not contain it. `after`: only events with a greater `seq`. */
  read(sessionId: string, options?: { readonly after?: number }): Promise<StoredSession | undefined>;
  /**
   * Returns the last events of a long session, in ascending order of `seq`, for a view of its end before `read` returns the whole. Empty for
   * an unknown session, and where `read` takes no time that a user notices. Rejects as `read` does.
   */
  readLatest?(sessionId: string): Promise<readonly SessionEvent[]>;
  /**
   * Resolves when the write is stored, as its `durability` demands. A compare-and-set on `seq` and on the id of the last write: a rejected
   * write changes nothing. A repetition of the last stored write changes nothing, too: it resolves, or rejects with `STORAGE_CONFLICT`, and
   * `read` then returns the id of that write.
   *
   * Writes to one session are answered in the order of the calls: a write that builds on a pending one is not refused before that one is
   * answered. A write that is not JSON may be.
   *
   * Rejects with `STORAGE_CONFLICT` when the stored `seq` is not `expectedSeq`, or the last write is not `expectedWriteId`; with `STORAGE_REJECTED` when no repetition can store the
   * write, because an event is not JSON; with `QUOTA_EXCEEDED`, `STORAGE_FAILED`, … when a repetition may succeed.
   */
  write(write: SessionWrite): Promise<void>;
  /** Removes the session with all its events. Returns whether the store contained the session. */
  remove(sessionId: string): Promise<boolean>;
  /** Undoes a removal within the store's undo window, if the id is still unused. Returns whether the session is restored. */
  restore?(sessionId: string): Promise<boolean>;
  /** Whether the session was removed by `remove`; `false` for a session that exists, never existed, or was erased by the browser. */
  wasRemoved?(sessionId: string): Promise<boolean>;
  /**
   * Whether a person has erased everything since this page has the session (`eraseEverything`): then a session that is no longer stored
   * ends, and does not store itself again. It is not a removal: a replica removes the session nowhere else.
   */
  wasErased?(sessionId: string): boolean;
  /** Emits the id of a session after its row has changed or was removed, in this tab or in another one. */
  readonly changes$: Observable<string>;
  /** Small values beside the sessions. Without `meta` the values live as long as the page. */
  readonly meta?: StoreMeta;
  /** `false` when written data will unexpectedly not outlive the page, for example because the browser opens no database. */
  isPersistent?(): boolean;
  /** Leases, for a store that several tabs share: they determine which tab runs a session. */
  readonly locks?: SessionLocks;
  /** Releases the resources of the store. */
  close(): void;
}

/** Small values by key, shared by all tabs: the approval rules of an agent, for example. */
export interface StoreMeta {
  get(key: string): Promise<Json | undefined>;
  /** Replaces the value by the result of `change`, atomically across tabs. `undefined` removes the value. */
  update(key: string, change: (value: Json | undefined) => Json | undefined): Promise<void>;
}

/** The lease of one session: the right to run it, until the lease is released, the tab goes away, or another tab takes the lease. */
export interface SessionLock {
  /** Whether the lease excludes other tabs. Without browser locks it applies to this page only; the store still rejects stale writes. */
  readonly isExclusive: boolean;
  /** Aborts with an `AgentError` `SESSION_BUSY` when another tab has taken the lease. */
  readonly signal: AbortSignal;
  /** Releases the lease. Further calls have no effect. */
  release(): void;
}

/** A request for a lease. */
export interface LeaseRequest {
  /**
   * Whether the caller waits for the run of another page, and ends that run when it gets the lease with no change of the log. Where a lease may
   * be known later than the first events of a run (it is stored over a network), a lease that such a caller finds free may have been requested
   * already: look again after some time.
   */
  readonly isWatch?: boolean;
}

/** Leases across the tabs of one origin, one a session: only the tab that holds the lease runs the session. */
export interface SessionLocks {
  /**
   * Resolves with the lease when all earlier requests have released it, without a time limit. Rejects with `SESSION_BUSY` when `signal`
   * aborts.
   *
   * @param signal withdraws the request
   */
  acquire(sessionId: string, signal?: AbortSignal, request?: LeaseRequest): Promise<SessionLock>;
  /** Takes the lease from another tab, for example from a frozen one. The `signal` of that tab aborts when the tab runs again. */
  take(sessionId: string): Promise<SessionLock>;
  /** Resolves with whether any tab has the lease. Optional: without it, a session may open before a run without a tab is closed. */
  isHeld?(sessionId: string): Promise<boolean>;
}
