import { type Observable, Subscription } from 'rxjs';
import { createEmitter } from '../emitter.ts';
import { type AgentError, toAgentError } from '../error.ts';
import { add } from '../model/coalesce.ts';
import { eventVersion, type SessionEvent } from '../model/event.ts';
import { evolve } from '../model/evolve.ts';
import { initialState } from '../model/state.ts';
import { statusOf } from '../model/status.ts';
import type { SessionStore, SessionWrite } from '../model/store.ts';
import { toSummary } from '../model/summary.ts';
import { collect, sync } from '../model/sync.ts';
import {
  type Found,
  initialSync,
  type ReplicaAction,
  type SessionAction,
  type Signal,
  type StorageStatus,
  type SyncState,
  toStorageStatus,
} from '../model/sync-state.ts';
import { isNoted, isPressing } from '../model/sync-writes.ts';
import type { Ports } from '../ports.ts';
import { current, when } from './current.ts';
import { type LockPlace, takePlace } from './lock-place.ts';
import type { Log } from './log.ts';

/** The session's side of keeping in step. */
interface Follower {
  /** Whether this tab drives the session's last run. */
  isDriving(): boolean;
  perform(action: SessionAction): void;
}

/** A session's log in this tab beside the one in the store. `sync` decides; a replica performs with store, locks and timers. */
export interface Replica {
  /** Takes an event to write it down. */
  add(event: SessionEvent): void;
  /**
   * Resolves when everything added so far is in the store, on top of what other tabs stored beside it. Rejects with the
   * store's `AgentError`; with `STORAGE_CONFLICT` when another tab was first.
   */
  flush(durability?: SessionWrite['durability']): Promise<void>;
  /** Starts a write of everything within this call: the page may be gone in the next. */
  hurry(): void;
  readonly status$: Observable<StorageStatus>;
  getStatus(): StorageStatus;
  /** Follows the store and the other tabs from now on. */
  follow(follower: Follower): void;
  /** Resolves when the log holds what the store held at the time of the call; never rejects. */
  catchUp(): Promise<void>;
  isReading(): boolean;
  /** Whether the store holds all of the log, be it a store that lasts or one that does not. */
  isSaved(): boolean;
  isClosed(): boolean;
  /** Resolves when no other tab runs the session; rejects with `SESSION_BUSY` when this tab leaves the queue first. */
  own(): Promise<void>;
  /** Takes the session from a tab that does not answer. */
  takeOver(): Promise<void>;
  /** What the session is doing may have changed. */
  noteStatus(): void;
  /** Writes nothing any more, and follows nothing. */
  close(): void;
}

export interface ReplicaOptions {
  readonly log: Log;
  /** Without a store, everything stays in memory. */
  readonly store: SessionStore | undefined;
  /** Why nothing may be written to the stored session; there is no `store` then. */
  readonly damage?: AgentError | undefined;
  readonly ports: Pick<Ports, 'delay' | 'onHide'>;
}

export function createReplica({ log, store, damage, ports }: ReplicaOptions): Replica {
  const { id, seq } = log.getState();
  const { locks } = store ?? {};
  let state: SyncState = initialSync({
    phase: damage ? 'read-only' : store ? 'saved' : 'memory',
    ...(damage && { problem: { state: 'read-only', error: damage } }),
    stored: seq,
    canLock: locks !== undefined,
  });
  /** Events since the last signal, joined as they come: a token costs a push. */
  let collected: SessionEvent[] = [];
  let lastWrite: Promise<void> = Promise.resolve();
  let stopTimer = (): void => {};
  let place: LockPlace | undefined;
  let follower: Follower = { isDriving: () => true, perform: () => {} };
  const changes = createEmitter<void>();

  function dispatch(signal: Signal): void {
    const isDriving = follower.isDriving();
    const isRunning = statusOf(log.getState()) === 'running';
    // Invariant: `appended` says that something is collected; every other signal hands it over.
    const before = signal.type === 'appended' ? state : collect(state, collected);
    if (before !== state) collected = [];
    const [after, actions] = sync(before, signal, { isDriving, isRunning });
    const hasChanged = after !== state;
    state = after;
    for (const action of actions) perform(action);
    if (hasChanged) changes.next();
  }

  function perform(action: ReplicaAction | SessionAction): void {
    switch (action.do) {
      case 'wait':
        stopTimer();
        stopTimer = ports.delay(() => dispatch({ type: 'timer' }), action.ms);
        return;
      case 'stop-timer':
        return stopTimer();
      case 'end-turn':
        return queueMicrotask(() => dispatch({ type: 'turn' }));
      case 'write':
        return write(action);
      case 'read':
        return void read(action.after);
      case 'restore':
        return void restore();
      case 'acquire':
        return enter((signal) => locks?.acquire(id, signal));
      case 'steal':
        return enter(() => locks?.take(id));
      case 'release':
        place?.leave();
        place = undefined;
        return;
      case 'accept':
        return log.accept(action.events);
      case 'reset':
        return log.reset(action.events.reduce(evolve, initialState(id)), action.news);
      default:
        follower.perform(action);
    }
  }

  function write({ batch, durability, content }: Extract<ReplicaAction, { readonly do: 'write' }>): void {
    const summary = toSummary(log.getState());
    const { expectedSeq } = batch;
    const request: SessionWrite = { sessionId: id, ...content, summary, expectedSeq, durability };
    // A store that throws instead of rejecting rejects, too.
    const written = (async () => store?.write(request))();
    lastWrite = written.then(
      () => dispatch({ type: 'saved', batch }),
      (thrown: unknown) => {
        const error = toAgentError(thrown, 'STORAGE_FAILED');
        dispatch({ type: 'refused', batch, error });
        throw error;
      },
    );
    lastWrite.catch(() => {});
  }

  async function read(after?: number): Promise<void> {
    const found = await find(after).catch(() => undefined);
    dispatch(found === undefined ? { type: 'unreadable' } : { type: 'read', found });
    noteStatus();
  }

  async function find(after?: number): Promise<Found | undefined> {
    const stored = await store?.read(id, after === undefined ? undefined : { after });
    if (stored?.events.every(({ v }) => v === eventVersion)) return stored;
    // Another tab may run an older version of the page.
    if (stored) return { ...stored, events: (await import('../model/deferred.ts')).upcastLog(stored.events) };
    // A store that cannot say who removed a session loses none by itself.
    return ((await store?.wasRemoved?.(id)) ?? true) ? 'removed' : 'erased';
  }

  async function restore(): Promise<void> {
    try {
      follower.perform({ do: 'abort' });
      const { snapshot } = await import('../model/deferred.ts');
      const { write } = snapshot(log.getState());
      await store?.write(write);
      dispatch({ type: 'restored', events: write.events });
    } catch {
      dispatch({ type: 'unreadable' });
    }
    noteStatus();
  }

  function enter(acquire: Parameters<typeof takePlace>[0]): void {
    place = takePlace(acquire, (type) => {
      dispatch({ type });
      // Without the lock there is nothing to look for, and nothing to try again before something changes.
      if (type !== 'denied') noteStatus();
    });
  }

  function noteStatus(): void {
    dispatch({ type: 'status' });
  }

  async function catchUp(): Promise<void> {
    dispatch({ type: 'look' });
    await when(
      current(changes.stream$, () => state),
      ({ reading }) => reading === undefined,
    );
  }

  /** A store that lasts no longer than the page saves nothing. */
  const getStatus = (): StorageStatus => toStorageStatus(state, store?.isPersistent?.() !== false);
  const hurry = (): void => dispatch({ type: 'hidden' });
  const listening = new Subscription(ports.onHide(hurry));

  return {
    add(event) {
      if (state.phase === 'memory' || state.phase === 'read-only') return;
      const isUrgent = isPressing(add(collected, event));
      if (!isNoted(state, isUrgent)) dispatch({ type: 'appended', isUrgent });
    },
    async flush(durability = 'relaxed') {
      const { generation } = state;
      for (;;) {
        if (state.inFlight > 0) await lastWrite.catch(() => {});
        try {
          if (state.phase === 'stale' && state.problem) throw state.problem.error;
          dispatch({ type: 'flush', durability });
          if (state.inFlight > 0) await lastWrite;
          return;
        } catch (thrown) {
          if (!state.isFollowing || toAgentError(thrown).code !== 'STORAGE_CONFLICT') throw thrown;
          await catchUp();
          if (state.phase === 'stale' || state.generation !== generation) throw thrown;
        }
      }
    },
    hurry,
    status$: current(changes.stream$, getStatus),
    getStatus,
    follow(its) {
      follower = its;
      if (store) listening.add(store.changes$.subscribe((changed) => changed === id && dispatch({ type: 'changed' })));
      dispatch({ type: 'opened' });
    },
    catchUp,
    isReading: () => state.reading !== undefined,
    isSaved: () => state.phase === 'saved',
    isClosed: () => state.isClosed,
    async own() {
      dispatch({ type: 'own' });
      await place?.granted;
    },
    async takeOver() {
      dispatch({ type: 'steal' });
      await place?.granted;
      await catchUp();
    },
    noteStatus,
    close() {
      dispatch({ type: 'closed' });
      listening.unsubscribe();
    },
  };
}
