import type { Observable } from 'rxjs';
import type { Json } from '../json.ts';
import type { SessionEvent } from './event.ts';
import type { SessionStatus } from './status.ts';
import type { Usage } from './message.ts';

/** What a list of sessions shows: one small row, written together with the events it sums up. */
export interface SessionSummary {
  readonly id: string;
  /** The given title, else the beginning of the first user message, else empty. */
  readonly title: string;
  /** ms since the epoch */
  readonly createdAt: number;
  /** ms since the epoch */
  readonly updatedAt: number;
  readonly status: SessionStatus;
  readonly messageCount: number;
  /** Tokens of all replies together. */
  readonly usage: Usage;
  /** `seq` of the last event. */
  readonly seq: number;
}

/** One all-or-nothing write: first the removal, then the events, then the row. */
export interface SessionWrite {
  readonly sessionId: string;
  /** Rising `seq`, all above what is stored, but for those that stand in for a removed range. */
  readonly events: readonly SessionEvent[];
  /** Stored events to remove first: `[from, to]`, both included. Their content comes back within `events`. */
  readonly replaces?: readonly (readonly [from: number, to: number])[];
  readonly summary: SessionSummary;
  /** `seq` of the last stored event as the writer knows it; 0 for a new session. */
  readonly expectedSeq: number;
  /** `strict` waits for the disk, for writes that an effect follows. */
  readonly durability: 'relaxed' | 'strict';
  /**
   * What a store may make use of. `streaming`: only more of a reply, or its end, so the list may show the row before it until the next
   * write that is not; `read` gives the true `seq` all the same. `settled`: no later write replaces these events, nor a part of them.
   */
  readonly phase?: 'streaming' | 'settled';
}

/** Options of `SessionStore.list`: page size, page and search. */
export interface ListOptions {
  /** Rows a page. Default 50. */
  readonly limit?: number;
  /** `cursor` of the page before. */
  readonly cursor?: string;
  /** Only sessions in whose title or messages each of these words stands, as a piece of text and in either case. */
  readonly search?: string;
  /** Calls a search off: it rejects with `ABORTED`. A store may let it come to its end. */
  readonly signal?: AbortSignal;
  /** Told how far a search is that takes long, as the first one over many sessions does. A store may be silent. */
  readonly onProgress?: (progress: SearchProgress) => void;
}

/** Sessions that have been looked at, and those that have to be unless the page is full before. */
export interface SearchProgress {
  readonly done: number;
  readonly total: number;
}

/** One page of a list of sessions. */
export interface SessionPage {
  /** Newest change first. */
  readonly sessions: readonly SessionSummary[];
  /** Where the next page begins; missing on the last one. */
  readonly cursor?: string;
}

/** A session as the store read it: its summary and its whole log. */
export interface StoredSession {
  /** `seq` is always that of the last event; the rest may be as old as the list's row while a reply streams. */
  readonly summary: SessionSummary;
  /** In the order of `seq`. */
  readonly events: readonly SessionEvent[];
  /** What of the session cannot be read, in words: nothing may be written on top of that. */
  readonly damage?: string;
}

/**
 * Where sessions are kept: six verbs, and some that a store may lack. `createIndexedDBStore` and `createMemoryStore` are two of
 * them; `storeContract` of `brooklet/testing` says what every other has to do.
 */
export interface SessionStore {
  list(options?: ListOptions): Promise<SessionPage>;
  /** The session, or `undefined` where there is none. `after`: only events with a greater `seq`. */
  read(sessionId: string, options?: { readonly after?: number }): Promise<StoredSession | undefined>;
  /**
   * Settles when the write is safe. A refused write changes nothing.
   *
   * @throws AgentError `STORAGE_CONFLICT` when the stored `seq` is not the expected one, `QUOTA_EXCEEDED`, `STORAGE_FAILED`, …
   */
  write(write: SessionWrite): Promise<void>;
  /** Removes the session with all its events. Gives whether there was one. */
  remove(sessionId: string): Promise<boolean>;
  /** Takes a removal back, where it is not too long ago and the id is still free. Gives whether it could. */
  restore?(sessionId: string): Promise<boolean>;
  /** Whether somebody has removed the session; `false` where it is there, never was, or the browser has erased it. */
  wasRemoved?(sessionId: string): Promise<boolean>;
  /** Emits the id of a session after its row has changed or gone, here or in another tab. */
  readonly changes$: Observable<string>;
  /** Small facts beside the sessions. Without it they live as long as the page. */
  readonly meta?: StoreMeta;
  /** `false` when what is written will not outlive the page although it should: the browser opens no database, say. */
  isPersistent?(): boolean;
  /** Where other tabs may use the same store: how they know which of them runs a session. */
  readonly locks?: SessionLocks;
  close(): void;
}

/** Small facts by name, shared by all tabs: what a person allowed an agent once for all, say. */
export interface StoreMeta {
  get(key: string): Promise<Json | undefined>;
  /** Puts what `change` makes of the present value in its place; nobody else writes in between. `undefined` removes it. */
  update(key: string, change: (value: Json | undefined) => Json | undefined): Promise<void>;
}

/** The right to run one session, until it is released, the tab goes away, or somebody takes it. */
export interface SessionLock {
  /** Whether it holds against other tabs. Where the browser has no locks it holds in this page only; the store still refuses stale writes. */
  readonly isExclusive: boolean;
  /** Aborted with an `AgentError` `SESSION_BUSY` when another tab has taken the lock. */
  readonly signal: AbortSignal;
  /** May be called twice. */
  release(): void;
}

/** Leases across the tabs of one origin, one a session: only the tab that holds the lease runs the session. */
export interface SessionLocks {
  /**
   * Waits for its turn for as long as it takes.
   *
   * @param signal leaves the queue
   * @throws AgentError (as rejection) `SESSION_BUSY` for who has left
   */
  acquire(sessionId: string, signal?: AbortSignal): Promise<SessionLock>;
  /** Takes the lock from whoever has it, say from a tab that is frozen. That tab's `signal` aborts, once it wakes up. */
  take(sessionId: string): Promise<SessionLock>;
}
