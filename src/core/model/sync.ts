import { acquired, own, settleRest, statusChanged, steal, lostLease } from './sync-lease.ts';
import { changed, hasRead, leave, look, restored } from './sync-reads.ts';
import { type Signal, type SyncFacts, type SyncState, type Transition } from './sync-state.ts';
import { appended, foundOwn, wasRefused, withdrawn, write, writeWhenFree, wrote } from './sync-writes.ts';

/**
 * Keeps one tab in step with the store and with the other tabs: returns the next state, and the actions to perform, in order.
 * Pure. No other code decides when a write starts, when the store is read, when the lease is acquired or released, and how
 * refused events are handled.
 */
export function sync(state: SyncState, signal: Signal, facts: SyncFacts): Transition {
  // Invariant: without a store there is nothing to write, to read, or to share with another tab.
  if (state.phase === 'memory' && signal.type !== 'closed') return [state, []];
  if (state.isClosed) return [state, []];
  const [next, actions] = transition(state, signal, facts);
  const [settled, more] = settleRest(next, facts);
  // Invariant: actions on locks and timers come before those that may cause another signal while they are performed.
  return [settled, [...more, ...actions]];
}

function transition(state: SyncState, signal: Signal, facts: SyncFacts): Transition {
  switch (signal.type) {
    case 'appended':
      return appended(state, signal.isUrgent);
    case 'turn':
      return state.isUrgent && state.inFlight === 0 ? write(state, 'relaxed') : [state, []];
    case 'timer':
      return writeWhenFree({ ...state, isTimed: false });
    case 'hidden':
      return write(state, 'relaxed');
    case 'flush':
      return write(state, signal.durability);
    case 'saved':
      return wrote(state, signal.batch);
    case 'refused':
      return wasRefused(state, signal.batch, signal.error);
    case 'opened':
      return opened(state, facts);
    case 'changed':
      return changed(state);
    case 'look':
      return look(state);
    case 'read':
      return foundOwn(state, signal.found) ?? hasRead(state, signal.found, facts);
    case 'unreadable':
      return hasRead(state, undefined, facts);
    case 'restored':
      return restored(state, signal.write);
    case 'withdrawn':
      return withdrawn(state, signal.seq);
    case 'reappended':
      return [{ ...state, reappends: state.reappends - 1 }, []];
    case 'own':
      return own(state);
    case 'steal':
      return steal(state);
    case 'acquired':
      return acquired(state);
    case 'denied':
      return [{ ...state, lease: 'none', watch: undefined, isResting: false }, []];
    case 'lost':
      return lostLease(state);
    case 'status':
      return statusChanged(state, facts);
    case 'closed':
      return closed(state);
  }
}

/** Invariant: a stored log is read again when it is opened: nothing reports what other tabs stored since the log was loaded. */
function opened(state: SyncState, { isRunning, isDriving }: SyncFacts): Transition {
  const following = { ...state, isFollowing: state.phase !== 'read-only' };
  const [next, actions] = state.stored > 0 ? look(following) : [following, []];
  // Without locks no tab can know whether the owner of an open run is alive. If it is, the store refuses its next write.
  const isLeft = !state.canLock && isRunning && !isDriving;
  return [next, isLeft ? [{ do: 'recover' }, ...actions] : actions];
}

/** Invariant: a closed log starts no write and no read, and has no lease. */
function closed(state: SyncState): Transition {
  const [left, actions] = leave(state);
  return [
    { ...left, isClosed: true, isTimed: false, isUrgent: false, reading: undefined },
    [...(state.isTimed ? [{ do: 'stop-timer' } as const] : []), ...actions],
  ];
}

/** Adds the events that were collected since the last signal to the unsaved events. Invariant: their order is kept. */
export function collect(state: SyncState, events: readonly SyncState['unsaved'][number][]): SyncState {
  if (events.length === 0) return state;
  return { ...state, unsaved: [...state.unsaved, ...events] };
}
