import { toWriteError } from './write-error.ts';
import { Subject, Subscription } from 'rxjs';
import { toAgentError } from '../error.ts';
import { defined } from '../json.ts';
import { add } from '../model/coalesce.ts';
import { withFirstSeq } from '../model/rewrite.ts';
import { eventVersion, type SessionEvent } from '../model/event.ts';
import { fold } from '../model/fold.ts';
import { initialState, type SessionState } from '../model/state.ts';
import { statusOf } from '../model/status.ts';
import type { SessionWrite } from '../model/store.ts';
import { toSummary } from '../model/summary.ts';
import { collect, sync } from '../model/sync.ts';
import {
  type Found,
  initialSync,
  type LinkAction,
  type SessionAction,
  type Signal,
  type StorageStatus,
  type SyncFacts,
  type SyncState,
  toStorageStatus,
} from '../model/sync-state.ts';
import { isInNextWrite, isUrgentEvent } from '../model/sync-writes.ts';
import { snapshot } from '../model/snapshot.ts';
import { upcastLog } from '../model/upcast.ts';
import { current, when } from './current.ts';
import { type LockPlace, takePlace } from './lock-place.ts';
import type { Follower, StoreLink, StoreLinkOptions } from './store-link.ts';

/** Creates a link of a log whose events are all stored. Without a store, every event stays in memory. */
export function createStoreLink({ log, store, damage, ports, ...options }: StoreLinkOptions): StoreLink {
  const { start = log.getState(), last } = options;
  const { id, seq: stored } = start;
  const newName = (): string => ports.id().slice(-12);
  const { locks } = store ?? {};
  let state: SyncState = initialSync({
    phase: damage ? 'read-only' : store ? 'saved' : 'memory',
    ...(damage && { problem: { state: 'read-only', error: damage } }),
    stored,
    writeId: last?.writeId,
    writer: store ? newName() : '',
    canLock: !!locks,
  });
  /** Events since the last signal; deltas are coalesced as they arrive, so a token costs one push. */
  let collected: SessionEvent[] = [];
  let lastWrite: Promise<void> = Promise.resolve();
  let stopTimer = (): void => {};
  let place: LockPlace | undefined;
  /** The state before the last run that another tab began: what is read again when that run is rewritten begins after it. */
  let base: SessionState | undefined;
  /** The state of the stored events, without those that wait to be stored. */
  let ground = start;
  /** The states up to the ends of the writes that are under way, or were refused and may nevertheless be stored. */
  let sent: readonly SessionState[] = [];
  let follower: Follower = { isDriving: () => true, perform: () => {} };
  const changes = new Subject<void>();

  /** Evaluated when a transition needs them: the status of the session costs a reduce of the deltas that wait for the frame. */
  const facts: SyncFacts = {
    get isDriving() {
      return follower.isDriving();
    },
    get isRunning() {
      return statusOf(log.getState()) === 'running';
    },
    get base() {
      return base?.seq;
    },
  };

  /** @param adjust changes the log before subscribers are notified of the new state */
  function dispatch(signal: Signal, adjust?: () => void): void {
    // Invariant: `appended` only notes that events were collected; every other signal moves these events into the state.
    const before = signal.type === 'appended' ? state : collect(state, collected);
    if (before !== state) collected = [];
    const [after, actions] = sync(before, signal, facts);
    state = after;
    if (state.stored !== ground.seq) ground = sent.find(({ seq }) => seq === state.stored) ?? ground;
    sent = sent.filter(({ seq }) => seq > state.stored);
    adjust?.();
    // A log that is reset shows the events that are appended again on top of it in the same notification.
    log.batch(() => actions.forEach(perform));
    changes.next();
  }

  function perform(action: LinkAction | SessionAction): void {
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
        return requestLock((signal) => locks?.acquire(id, signal, { isWatch: state.watch !== undefined }));
      case 'steal':
        return requestLock(() => locks?.take(id));
      case 'release':
        place?.leave();
        place = undefined;
        return;
      case 'accept':
        return accept(action.events);
      case 'reset':
        return reset(action);
      default:
        follower.perform(action);
    }
  }

  function reset({ base: from, events, news }: Extract<LinkAction, { readonly do: 'reset' }>): void {
    if (from !== base?.seq) base = undefined;
    const isStored = ({ seq }: SessionEvent): boolean => seq <= state.stored;
    ground = fold(events.filter(isStored), base ?? initialState(id));
    sent = [];
    log.reset(
      fold(
        events.filter((event) => !isStored(event)),
        ground,
      ),
      news,
    );
  }

  function write({ batch, durability, content }: Extract<LinkAction, { readonly do: 'write' }>): void {
    const after = log.getState();
    // A refused write is sent again with the same end.
    if (after.seq === batch.seq) sent = [...sent.filter(({ seq }) => seq !== after.seq), after];
    // A write of some events has the row of all of them: the next write has the rest.
    const summary = { ...toSummary(after), seq: batch.seq };
    const events = content.events.map(withFirstSeq);
    const { seq: expectedSeq, writeId: expectedWriteId } = batch.expected;
    const { writeId } = batch;
    const expected = { expectedSeq, expectedWriteId };
    const request: SessionWrite = { sessionId: id, ...content, writeId, ...expected, events, summary, durability };
    // The async function turns a synchronous throw of the store into a rejection.
    const written = (async () => store?.write(request))();
    lastWrite = written.then(
      () => dispatch({ type: 'saved', batch }),
      (thrown: unknown) => {
        const error = toWriteError(thrown);
        dispatch({ type: 'refused', batch, error });
        throw error;
      },
    );
    lastWrite.catch(() => {});
  }

  function accept(events: readonly SessionEvent[]): void {
    const begin = events.findLastIndex(({ type }) => type === 'run.started');
    if (begin >= 0) base = fold(events.slice(0, begin), log.getState());
    log.accept(events);
    ground = log.getState();
  }

  async function read(after?: number): Promise<void> {
    const found = await find(after).catch(() => undefined);
    dispatch(found === undefined ? { type: 'unreadable' } : { type: 'read', found });
    noteStatus();
  }

  async function find(after?: number): Promise<Found | undefined> {
    const stored = await store?.read(id, defined({ after }));
    if (stored?.events.every(({ v }) => v === eventVersion)) return stored;
    // Another tab may run an older version of the page, which stores events of an older version.
    if (stored) return { ...stored, events: upcastLog(stored.events) };
    if (store?.wasErased?.(id)) return 'removed';
    // Without `wasRemoved`, a missing session counts as removed by the user: only browser storage loses a session on its own.
    return ((await store?.wasRemoved?.(id)) ?? true) ? 'removed' : 'erased';
  }

  async function restore(): Promise<void> {
    try {
      follower.perform({ do: 'abort' });
      const { write } = snapshot(log.getState(), newName());
      await store?.write(write);
      dispatch({ type: 'restored', write });
    } catch {
      dispatch({ type: 'unreadable' });
    }
    noteStatus();
  }

  function requestLock(acquire: Parameters<typeof takePlace>[0]): void {
    place = takePlace(acquire, (type) => {
      dispatch({ type });
      // After a denial there is nothing to read, and the lock is not requested again before the session changes.
      if (type !== 'denied') noteStatus();
    });
  }

  function noteStatus(): void {
    dispatch({ type: 'status' });
  }

  async function catchUp(): Promise<void> {
    dispatch({ type: 'look' });
    await when(
      current(changes, () => state),
      () => !state.reading && !state.inFlight,
    );
  }

  /** A store that lasts only as long as the page is reported as `memory`. */
  const getStatus = (): StorageStatus => toStorageStatus(state, store?.isPersistent?.() !== false);
  const flushNow = (): void => dispatch({ type: 'hidden' });
  const listening = new Subscription();

  return {
    add(event) {
      if (state.phase === 'memory' || state.phase === 'read-only') return;
      const isUrgent = isUrgentEvent(add(collected, event));
      if (!isInNextWrite(state, isUrgent)) dispatch({ type: 'appended', isUrgent });
    },
    async flush(durability = 'relaxed') {
      const { generation } = state;
      for (;;) {
        if (state.inFlight) await lastWrite.catch(() => {});
        try {
          if (state.phase === 'stale' && state.problem) throw state.problem.error;
          dispatch({ type: 'flush', durability });
          if (state.inFlight) await lastWrite;
          if (state.pieces !== undefined && state.phase !== 'failed') continue;
          return;
        } catch (thrown) {
          // A closed log reads nothing: its write stays refused.
          if (!state.isFollowing || state.isClosed || toAgentError(thrown).code !== 'STORAGE_CONFLICT') throw thrown;
          await catchUp();
          if (state.phase === 'stale' || state.generation !== generation) throw thrown;
        }
      }
    },
    withdraw(callId) {
      const { unsaved, inFlight, phase } = state;
      if (phase === 'stale') return 'lost';
      if (inFlight > 0) return 'under-way';
      const event = unsaved.find(
        (one) => (one.type === 'approval.decided' || one.type === 'approval.proposed') && one.callId === callId,
      );
      if (!event) return 'stored';
      dispatch({ type: 'withdrawn', seq: event.seq }, () => {
        // A refused write that contained the decision is not a write of this log any more.
        sent = [];
        log.reset(fold(state.unsaved, ground), []);
      });
      return 'withdrawn';
    },
    flushNow,
    status$: current(changes, getStatus),
    getStatus,
    follow(session) {
      follower = session;
      if (store) {
        listening.add(store.changes$.subscribe((changed) => changed === id && dispatch({ type: 'changed' })));
        // A paused page has missed the changes of other tabs.
        listening.add(ports.onShow(() => dispatch({ type: 'look' })));
      }
      dispatch({ type: 'opened' });
    },
    catchUp,
    isReading: () => state.reading !== undefined,
    isSaved: () => state.phase === 'saved' && state.reappends === 0,
    isClosed: () => state.isClosed,
    async acquireLease() {
      dispatch({ type: 'own' });
      await place?.granted;
    },
    async takeOver() {
      dispatch({ type: 'steal' });
      await place?.granted;
      await catchUp();
    },
    noteStatus,
    noteReappended: () => dispatch({ type: 'reappended' }),
    close() {
      dispatch({ type: 'closed' });
      listening.unsubscribe();
    },
  };
}
