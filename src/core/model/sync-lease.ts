import { leave, look } from './sync-reads.ts';
import { lastSeq, type SyncFacts, type SyncState, type Transition } from './sync-state.ts';
import { writeWhenFree } from './sync-writes.ts';

/** A run needs the lease. Invariant: a tab is in the lock queue before any other tab can read that it runs the session. */
export function own(state: SyncState): Transition {
  return state.canLock && state.lease === 'none' ? [{ ...state, lease: 'waiting' }, [{ do: 'acquire' }]] : [state, []];
}

/** The lock has been granted. Invariant: a tab that waited for the owner of a run reads the store before it recovers that run. */
export function acquired(state: SyncState): Transition {
  const held: SyncState = { ...state, lease: 'held' };
  return held.watch === undefined ? [held, []] : look({ ...held, watch: { ...held.watch, isLooking: true } });
}

/** A person takes the session over. Invariant: a tab that has the lease does not steal the lock from itself. */
export function steal(state: SyncState): Transition {
  const watch = { seq: lastSeq(state), isLooking: true, isForced: true };
  if (!state.canLock || state.lease === 'held') return look({ ...state, watch });
  const [left, actions] = leave(state);
  return [{ ...left, lease: 'waiting', watch: { ...watch, isLooking: false } }, [...actions, { do: 'steal' }]];
}

/** The status may have changed: starts or ends the wait for a run of another tab; releases the lease of a session at rest. */
export function statusChanged(state: SyncState, facts: SyncFacts): Transition {
  const { watch, reading } = state;
  if (watch?.isLooking && reading === undefined) {
    if (facts.isDriving) return [{ ...state, watch: undefined }, []];
    // Invariant: the owner is in the lock queue before other tabs can read its run, but perhaps behind this tab. The run has
    // no owner only if the log has not changed since this tab went to the end of the queue.
    if (watch.isForced || watch.seq === lastSeq(state)) {
      const free = { ...state, watch: undefined };
      return facts.isRunning ? [free, [{ do: 'recover' }]] : rest(free);
    }
    return facts.isRunning ? watchRun(state) : leave(state);
  }
  if (facts.isRunning) return facts.isDriving || watch !== undefined || !state.canLock ? [state, []] : watchRun(state);
  return state.lease === 'none' && watch === undefined ? [state, []] : rest(state);
}

/**
 * Waits for the lock of a run of another tab. Invariant: when the lock is granted, the tab that ran the session is gone. A tab that has
 * the lock goes to the end of the queue: the owner of the run may wait behind it.
 */
function watchRun(state: SyncState): Transition {
  const [left, actions] = state.lease === 'held' ? leave(state) : [state, []];
  const [watching, more] = own({ ...left, watch: { seq: lastSeq(left), isLooking: false } });
  return [watching, [...actions, ...more]];
}

/** Invariant: a tab releases its lease only when its events are stored; otherwise other tabs would interrupt its run. */
function rest(state: SyncState): Transition {
  return writeWhenFree({ ...state, isResting: true });
}

/** Releases the lease of a session at rest as soon as every event is stored, or is still refused after a read. */
export function settleRest(state: SyncState, facts: SyncFacts): Transition {
  const { isResting, reading, phase } = state;
  if (!isResting || reading !== undefined || phase === 'dirty' || phase === 'saving' || phase === 'failed')
    return [state, []];
  return facts.isRunning ? [{ ...state, isResting: false }, []] : leave(state);
}

/** Another tab has taken the lock. Invariant: the run of this tab is over, and every `flush` that began before rejects. */
export function lostLease(state: SyncState): Transition {
  return [
    { ...state, lease: 'none', watch: undefined, isResting: false, generation: state.generation + 1 },
    [{ do: 'release' }, { do: 'yield' }],
  ];
}
