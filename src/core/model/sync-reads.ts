import { isConcurrent, type SessionEvent } from './event.ts';
import type { StoredSession } from './store.ts';
import {
  type Action,
  firstRetry,
  type Found,
  type SyncFacts,
  type SyncState,
  type Transition,
  tries,
} from './sync-state.ts';

/**
 * Brings the log in step with the store.
 *
 * Invariant: one read at a time, and none while events are written: the `seq` on which a write builds shows whether another tab
 * was first, and after the write the changes reported meanwhile show whether there is something to read.
 */
export function look(state: SyncState): Transition {
  if (!state.isFollowing) return [state, []];
  if (state.reading !== undefined) return [{ ...state, mustReadAgain: true }, []];
  if (state.phase === 'stale' || state.phase === 'saved') return startReading(state, state.phase === 'stale');
  return [{ ...state, heard: Infinity }, []];
}

/** Starts a read of the whole log, or of the events above the last stored one. */
function startReading(state: SyncState, isWhole: boolean): Transition {
  const after = state.stored;
  return [
    { ...state, reading: { isWhole, after }, mustReadAgain: false },
    [{ do: 'read', ...(!isWhole && { after }) }],
  ];
}

/**
 * The store has reported a change. A store reports each write once, including the writes of this tab.
 *
 * Invariant: of the changes reported while events were written, as many belong to this tab as writes were acknowledged; the
 * others belong to other tabs. Without this count, a read would follow each flush.
 */
export function changed(state: SyncState): Transition {
  const isWriting = state.phase === 'dirty' || state.phase === 'saving';
  return isWriting ? [{ ...state, heard: state.heard + 1 }, []] : look(state);
}

/** Every event is stored. Invariant: changes that other tabs stored during the writes are read now. */
export function becameSaved(state: SyncState): Transition {
  const saved: SyncState = { ...state, phase: 'saved', problem: undefined, heard: 0 };
  return state.heard > 0 ? look(saved) : [saved, []];
}

/**
 * A read has ended. Invariant: a change reported during a read is followed by another read.
 *
 * @param found `undefined` if the store could not be read: the next change starts another read
 */
export function hasRead(state: SyncState, found: Found | undefined, facts: SyncFacts): Transition {
  const { reading } = state;
  if (reading === undefined) return [state, []];
  const before = { ...state, reading: undefined };
  const [after, actions] = found === undefined ? [before, []] : applyRead(before, found, reading, facts);
  if (!after.mustReadAgain || after.reading !== undefined) return [after, actions];
  const [again, more] = look({ ...after, mustReadAgain: false });
  return [again, [...actions, ...more]];
}

type Reading = NonNullable<SyncState['reading']>;

/** Applies the result of a read. */
function applyRead(state: SyncState, found: Found, reading: Reading, facts: SyncFacts): Transition {
  if (found === 'removed') return [state, [{ do: 'close' }]];
  const isUnchanged = state.phase === 'saved' && state.stored === reading.after;
  const isStale = state.phase === 'stale';
  if (found === 'erased')
    // An erased session is stored again only when this tab has events to write.
    return reading.isWhole && (isUnchanged || isStale) ? [{ ...state, reading }, [{ do: 'restore' }]] : [state, []];
  if (!reading.isWhole && found.summary.seq === reading.after) return [state, []];
  // Invariant: a read counts only if this tab neither appended nor wrote since the read began, unless the log is stale:
  // then the store refuses every write.
  if (!isUnchanged && !(isStale && reading.isWhole)) return look(state);
  return reading.isWhole ? resetToStored(state, found, facts) : acceptEvents(state, found, facts);
}

/** Accepts events above the last stored one. Invariant: a run of this tab continues only if every new event is concurrent. */
function acceptEvents(state: SyncState, { events, summary: { seq } }: StoredSession, facts: SyncFacts): Transition {
  const { stored } = state;
  // The store may contain one event made of deltas that are known here and deltas that are not.
  const isRemade = events.some(({ since }) => since !== undefined && since <= stored);
  // An import may have replaced the log.
  if (isRemade || seq < stored) return startReading(state, true);
  const accept: Action = { do: 'accept', events };
  if (events.every(isConcurrent)) {
    const [rebased, actions] = rebase(state, events, seq);
    return [rebased, [...actions, accept]];
  }
  const [yielded, actions] = yieldTo(state, facts);
  const [restarted, more] = restart(yielded, seq);
  return [restarted, [...more, ...actions, accept]];
}

/**
 * Replaces the log by the whole stored log.
 *
 * Invariant: what a person did here is appended again above what another tab stored first; the run of this tab is over. No
 * action of a person is lost, and all tabs have one order.
 */
function resetToStored(state: SyncState, { events, summary: { seq } }: StoredSession, facts: SyncFacts): Transition {
  const refusals = state.phase !== 'stale' ? 0 : state.refusedAt === seq ? state.refusals + 1 : 1;
  const counted = { ...state, refusals, refusedAt: seq };
  // A store that refuses writes at an unchanged `seq` would refuse forever: the session stays stale until the store changes.
  if (refusals > tries) return [counted, []];
  const newEvents = events.filter(({ seq, since = seq }) => since > state.stored);
  // Invariant: every stored event that is unknown here is in `newEvents`; the count differs if events were made one.
  if (newEvents.length > 0 && newEvents.length === seq - state.stored && newEvents.every(isConcurrent)) {
    const [rebased, actions] = rebase(counted, newEvents, seq);
    return [
      rebased,
      [...actions, { do: 'reset', events: [...events, ...rebased.unsaved], news: newEvents }, { do: 'advance' }],
    ];
  }
  const [yielded, actions] = yieldTo(counted, facts);
  const [restarted, more] = restart(yielded, seq);
  return [
    restarted,
    [...more, ...actions, { do: 'reset', events, news: newEvents }, { do: 'replay', events: state.unsaved }],
  ];
}

/** An erased session has been stored again as these events. Invariant: events appended meanwhile are replayed. */
export function restored(state: SyncState, events: readonly SessionEvent[]): Transition {
  const seq = events.at(-1)?.seq ?? 0;
  const [restarted, actions] = restart({ ...state, reading: undefined }, seq);
  const late = state.unsaved.filter((event) => event.seq > seq);
  return [
    restarted,
    [
      ...actions,
      { do: 'reset', events, news: [] },
      ...(late.length > 0 ? [{ do: 'replay', events: late } as const] : []),
    ],
  ];
}

/**
 * Another tab runs the session, or has stored events on which the run of this tab depends. Invariant: a tab that yields leaves
 * the lock queue if it drives the run, and every `flush` that began before rejects.
 */
function yieldTo(state: SyncState, { isDriving }: SyncFacts): Transition {
  const [left, actions] = isDriving ? leave(state) : [state, []];
  return [{ ...left, generation: left.generation + 1 }, [...actions, { do: 'yield' }]];
}

/**
 * Lets others run the session, and leaves the lock queue.
 *
 * Invariant: a tab's place in the lock queue is newer than the log it has read; a tab that re-enters goes to the end.
 */
export function leave(state: SyncState): Transition {
  return [
    { ...state, lease: 'none', watch: undefined, isResting: false },
    state.lease === 'none' ? [] : [{ do: 'release' }],
  ];
}

/** Continues above `seq`. Invariant: no unsaved event and no event of an earlier run remains in the state. */
function restart(state: SyncState, seq: number): Transition {
  return [
    {
      ...state,
      phase: 'saved',
      problem: undefined,
      unsaved: [],
      isUrgent: false,
      isTimed: false,
      runEvents: [],
      retryIn: firstRetry,
      heard: 0,
      sent: seq,
      stored: seq,
    },
    state.isTimed ? [{ do: 'stop-timer' }] : [],
  ];
}

/**
 * Continues above the concurrent events that another tab has stored: unsaved events get the next numbers.
 *
 * Invariant: events of other tabs are part of the stored run, so that the rewrite at the end of the run keeps these events.
 */
function rebase(state: SyncState, concurrent: readonly SessionEvent[], seq: number): Transition {
  const shift = seq - state.sent;
  const hasUnsaved = state.unsaved.length > 0;
  return [
    {
      ...state,
      phase: hasUnsaved ? 'dirty' : 'saved',
      problem: undefined,
      unsaved: state.unsaved.map((event) => ({ ...event, seq: event.seq + shift })),
      isUrgent: hasUnsaved,
      isTimed: false,
      runEvents: [...state.runEvents, ...concurrent],
      heard: 0,
      sent: seq,
      stored: seq,
    },
    [...(state.isTimed ? [{ do: 'stop-timer' } as const] : []), ...(hasUnsaved ? [{ do: 'end-turn' } as const] : [])],
  ];
}
