import { leave, look } from './sync-reads.ts';
import { lastSeq, type SyncFacts, type SyncState, type Transition } from './sync-state.ts';
import { writeWhenFree } from './sync-writes.ts';

/** A run needs the lease. Invariant: a tab is in the lock queue before anybody can read that it runs the session. */
export function own(state: SyncState): Transition {
  return state.canLock && state.lease === 'none' ? [{ ...state, lease: 'waiting' }, [{ do: 'acquire' }]] : [state, []];
}

export function acquired(state: SyncState): Transition {
  const held: SyncState = { ...state, lease: 'held' };
  return held.watch === undefined ? [held, []] : look({ ...held, watch: { ...held.watch, isLooking: true } });
}

/** A person takes the session. A tab does not take it from itself. */
export function steal(state: SyncState): Transition {
  const watch = { seq: lastSeq(state), isLooking: true, isForced: true };
  if (!state.canLock || state.lease === 'held') return look({ ...state, watch });
  const [left, actions] = leave(state);
  return [{ ...left, lease: 'waiting', watch: { ...watch, isLooking: false } }, [...actions, { do: 'steal' }]];
}

/** What the session is doing may have changed: begins or ends to watch over a run of another tab, releases the lease when it rests. */
export function statusChanged(state: SyncState, facts: SyncFacts): Transition {
  const { watch, reading } = state;
  if (watch?.isLooking && reading === undefined) {
    if (facts.isDriving) return [{ ...state, watch: undefined }, []];
    // Invariant: the owner is in the lock queue before anybody can read of its run, but perhaps behind this tab. Only a
    // log that has not changed since this tab went to the end of the queue belongs to nobody.
    if (watch.isForced || watch.seq === lastSeq(state)) {
      const free = { ...state, watch: undefined };
      return facts.isRunning ? [free, [{ do: 'recover' }]] : rest(free);
    }
    const [left, actions] = leave(state);
    if (!facts.isRunning) return [left, actions];
    const [watching, more] = watchOver(left);
    return [watching, [...actions, ...more]];
  }
  if (facts.isRunning) return facts.isDriving || watch !== undefined || !state.canLock ? [state, []] : watchOver(state);
  return state.lease === 'none' && watch === undefined ? [state, []] : rest(state);
}

/** When the lock comes free, the tab that runs the session is gone. */
function watchOver(state: SyncState): Transition {
  const watch = { seq: lastSeq(state), isLooking: state.lease === 'held' };
  return state.lease === 'held' ? look({ ...state, watch }) : own({ ...state, watch });
}

/** Invariant: a tab releases its lease only when all it appended is stored; before that others would take its run for interrupted. */
function rest(state: SyncState): Transition {
  return writeWhenFree({ ...state, isResting: true });
}

/** Releases the lease of a session that rests, once everything is stored or, after a read, still refused. */
export function settleRest(state: SyncState, { isRunning }: SyncFacts): Transition {
  const { isResting, reading, phase } = state;
  if (!isResting || reading !== undefined || phase === 'dirty' || phase === 'saving' || phase === 'failed')
    return [state, []];
  return isRunning ? [{ ...state, isResting: false }, []] : leave(state);
}

/** Another tab has taken the lock: what this tab drives is over. */
export function wasRobbed(state: SyncState): Transition {
  return [
    { ...state, lease: 'none', watch: undefined, isResting: false, generation: state.generation + 1 },
    [{ do: 'release' }, { do: 'yield' }],
  ];
}
