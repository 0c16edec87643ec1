import { defined } from '../json.ts';
import type { SessionEvent } from './event.ts';
import { isConcurrent, shifted } from './rebase.ts';
import type { SessionWrite, StoredSession } from './store.ts';
import {
  type Action,
  firstRetry,
  type Found,
  type SyncFacts,
  type SyncState,
  type Tip,
  type Transition,
  tries,
} from './sync-state.ts';
import { lineageOf } from './write-id.ts';

/**
 * Brings the log in step with the store.
 *
 * Invariant: at most one read runs, and no read starts while events are written. The read can wait: the store refuses a write whose
 * `expectedSeq` is out of date, and after the writes `heard` shows whether another tab wrote.
 */
export function look(state: SyncState): Transition {
  if (!state.isFollowing) return [state, []];
  if (state.reading !== undefined) return [{ ...state, mustReadAgain: true }, []];
  if (state.phase === 'stale' || state.phase === 'saved') return startReading(state, state.phase === 'stale');
  // A read is wanted, and a write is under way: the read starts as soon as every event is stored.
  return [{ ...state, heard: Infinity }, []];
}

/** Starts a read of the whole log (of its events above `base`, if there is one), or of the events above the last stored one. */
function startReading(state: SyncState, isWhole: boolean, base?: number): Transition {
  const after = isWhole ? base : state.stored;
  return [
    { ...state, reading: { isWhole, after: state.stored, ...defined({ base }) }, mustReadAgain: false },
    [{ do: 'read', ...defined({ after }) }],
  ];
}

/**
 * The store has reported a change. A store reports each write once, including the writes of this tab.
 *
 * Invariant: `heard` is the number of reports less the number of acknowledged writes of this tab. Above 0, another tab wrote. Without
 * this count, a read would follow each flush.
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
  if (!after.mustReadAgain) return [after, actions];
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
  const isSame = isSameLog(state, found);
  if (isSame && !reading.isWhole && found.summary.seq === reading.after) return [state, []];
  // Invariant: the result of a read is discarded, and the read repeated, if this tab appended or wrote during the read. A stale log
  // writes nothing, so a read of the whole log is then always used.
  if (!isUnchanged && !(isStale && reading.isWhole)) return look(state);
  if (!isSame && (!reading.isWhole || reading.base !== undefined)) return startReading(state, true);
  return reading.isWhole ? resetToStored(state, found, facts, reading.base) : acceptEvents(state, found, facts);
}

/** Whether a log that was read begins with what this tab has. Invariant: who replaces the past of a stored log begins another lineage. */
function isSameLog({ stored, lineage }: SyncState, { writeId }: StoredSession): boolean {
  return stored === 0 || (lineageOf(writeId) ?? lineage) === lineage;
}

/** Accepts events above the last stored one. Invariant: a run of this tab continues only if every new event is concurrent. */
function acceptEvents(state: SyncState, found: StoredSession, facts: SyncFacts): Transition {
  const { events } = found;
  const { seq } = found.summary;
  const { stored } = state;
  // The store may have joined deltas that this tab has with deltas that it lacks: only a read from before the run can apply that event.
  const isRemade = events.some(({ since }) => since !== undefined && since <= stored);
  // An import may have replaced the log.
  if (isRemade || seq < stored) return startReading(state, true, seq < stored ? undefined : facts.base);
  const accept: Action = { do: 'accept', events };
  if (events.every(isConcurrent)) {
    const [rebased, actions] = rebase(state, events, tipOf(found));
    return [rebased, [...actions, accept]];
  }
  const [yielded, actions] = yieldTo(state, facts);
  const [restarted, more] = restart(yielded, tipOf(found));
  return [restarted, [...more, ...actions, accept]];
}

/**
 * Replaces the log by the whole stored log.
 *
 * Invariant: the stored log wins, so that all tabs have one order. The run of this tab is over. The `reappend` action then appends the
 * refused events of a user again (messages, changes of messages, names, queue, pins, restored contexts, revoked rules).
 */
function resetToStored(state: SyncState, found: StoredSession, facts: SyncFacts, base?: number): Transition {
  const { events } = found;
  const { seq } = found.summary;
  // The kept state is not a beginning of the stored log: an import may have replaced the log.
  if (base !== undefined && (seq < base || events.some(({ since = seq }) => since <= base)))
    return startReading(state, true);
  const refusals = state.phase !== 'stale' ? 0 : state.refusedAt === seq ? state.refusals + 1 : 1;
  const counted = { ...state, refusals, refusedAt: seq };
  // A store that refuses writes at an unchanged `seq` would refuse forever: the session stays stale until the store changes.
  if (refusals > tries) return [counted, []];
  const newEvents = events.filter(({ seq, since = seq }) => since > state.stored);
  // Invariant: this shortcut needs every stored event that is unknown here. If the store has joined several events into one, the count
  // is smaller than the difference of `seq`.
  const isContinued = newEvents.length > 0 && newEvents.length === seq - state.stored && isSameLog(state, found);
  if (isContinued && newEvents.every(isConcurrent)) {
    const [rebased, actions] = rebase(counted, newEvents, tipOf(found));
    return [
      rebased,
      [
        ...actions,
        { do: 'reset', events: [...events, ...rebased.unsaved], news: newEvents, ...defined({ base }) },
        { do: 'advance' },
      ],
    ];
  }
  const [yielded, actions] = yieldTo(counted, facts);
  const [restarted, more] = restart(yielded, tipOf(found));
  const [reappending, reappend] = reappended(restarted, state.unsaved);
  return [
    reappending,
    [...more, ...actions, { do: 'reset', events, news: newEvents, ...defined({ base }) }, ...reappend],
  ];
}

/** An erased session has been stored again by this write. Invariant: events appended meanwhile are appended again. */
export function restored(
  state: SyncState,
  { events, writeId, summary }: Pick<SessionWrite, 'events' | 'writeId' | 'summary'>,
): Transition {
  const { seq } = summary;
  const [restarted, actions] = restart({ ...state, reading: undefined }, { seq, writeId });
  const late = state.unsaved.filter((event) => event.seq > seq);
  const [reappending, reappend] = late.length > 0 ? reappended(restarted, late) : [restarted, []];
  return [reappending, [...actions, { do: 'reset', events, news: [] }, ...reappend]];
}

/** Invariant: a session is not reported as saved before its refused events are in the log again. */
function reappended(state: SyncState, events: readonly SessionEvent[]): Transition {
  return [{ ...state, reappends: state.reappends + 1 }, [{ do: 'reappend', events }]];
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
 * Releases the lock, or leaves the lock queue.
 *
 * Invariant: a tab joins the lock queue after it has read its present log. To queue again, the tab joins at the end.
 */
export function leave(state: SyncState): Transition {
  return [
    { ...state, lease: 'none', watch: undefined, isResting: false },
    state.lease === 'none' ? [] : [{ do: 'release' }],
  ];
}

const tipOf = ({ summary: { seq }, writeId }: StoredSession): Tip => ({ seq, writeId });

/** Returns the state of a log that is stored up to `tip`. */
function storedUpTo(state: SyncState, { seq, writeId }: Tip): SyncState {
  const lineage = lineageOf(writeId) ?? state.lineage;
  return {
    ...state,
    problem: undefined,
    isTimed: false,
    heard: 0,
    sent: seq,
    stored: seq,
    sentId: writeId,
    lineage,
    unsure: [],
  };
}

/** Continues above `tip`. Invariant: no unsaved event and no event of an earlier run remains in the state. */
function restart(state: SyncState, tip: Tip): Transition {
  return [
    {
      ...storedUpTo(state, tip),
      phase: 'saved',
      unsaved: [],
      isUrgent: false,
      runEvents: [],
      retryIn: firstRetry,
    },
    state.isTimed ? [{ do: 'stop-timer' }] : [],
  ];
}

/**
 * Continues above the concurrent events that another tab has stored: unsaved events get the next numbers.
 *
 * Invariant: events of other tabs are part of the stored run, so that the rewrite at the end of the run keeps these events.
 */
function rebase(state: SyncState, concurrent: readonly SessionEvent[], tip: Tip): Transition {
  const shift = tip.seq - state.sent;
  const hasUnsaved = state.unsaved.length > 0;
  return [
    {
      ...storedUpTo(state, tip),
      phase: hasUnsaved ? 'dirty' : 'saved',
      unsaved: state.unsaved.map((event) => shifted(event, shift)),
      isUrgent: hasUnsaved,
      runEvents: [...state.runEvents, ...concurrent],
    },
    hasUnsaved ? [{ do: 'end-turn' }] : [],
  ];
}
