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
 * Invariant: one read at a time, and none while something is written: what a write builds on says whether another tab was
 * first, and after the write the changes that were heard say whether there is something to read.
 */
export function look(state: SyncState): Transition {
  if (!state.isFollowing) return [state, []];
  if (state.reading !== undefined) return [{ ...state, mustReadAgain: true }, []];
  if (state.phase === 'stale' || state.phase === 'saved') return startReading(state, state.phase === 'stale');
  return [{ ...state, heard: Infinity }, []];
}

function startReading(state: SyncState, isWhole: boolean): Transition {
  const after = state.stored;
  return [
    { ...state, reading: { isWhole, after }, mustReadAgain: false },
    [{ do: 'read', ...(!isWhole && { after }) }],
  ];
}

/**
 * A store reports each write once, also the own ones.
 *
 * Invariant: of the changes heard while something was written, as many are own as writes were acknowledged; the rest is
 * other tabs' news. Otherwise each flush would be followed by a read.
 */
export function changed(state: SyncState): Transition {
  const isWriting = state.phase === 'dirty' || state.phase === 'saving';
  return isWriting ? [{ ...state, heard: state.heard + 1 }, []] : look(state);
}

/** Everything is stored: reads what others have stored meanwhile. */
export function becameSaved(state: SyncState): Transition {
  const saved: SyncState = { ...state, phase: 'saved', problem: undefined, heard: 0 };
  return state.heard > 0 ? look(saved) : [saved, []];
}

/** A read has ended, with what it found or without (`undefined`: a store that cannot be read now is read at the next change). */
export function hasRead(state: SyncState, found: Found | undefined, facts: SyncFacts): Transition {
  const { reading } = state;
  if (reading === undefined) return [state, []];
  const before = { ...state, reading: undefined };
  const [after, actions] = found === undefined ? [before, []] : takeIn(before, found, reading, facts);
  if (!after.mustReadAgain || after.reading !== undefined) return [after, actions];
  const [again, more] = look({ ...after, mustReadAgain: false });
  return [again, [...actions, ...more]];
}

type Reading = NonNullable<SyncState['reading']>;

function takeIn(state: SyncState, found: Found, reading: Reading, facts: SyncFacts): Transition {
  if (found === 'removed') return [state, [{ do: 'close' }]];
  const isUnchanged = state.phase === 'saved' && state.stored === reading.after;
  const isStale = state.phase === 'stale';
  if (found === 'erased')
    // An erased session is stored anew when there is something to be written.
    return reading.isWhole && (isUnchanged || isStale) ? [{ ...state, reading }, [{ do: 'restore' }]] : [state, []];
  if (!reading.isWhole && found.summary.seq === reading.after) return [state, []];
  // Invariant: a read counts only if nothing was appended or written here since it began, unless the store refuses all writes.
  if (!isUnchanged && !(isStale && reading.isWhole)) return look(state);
  return reading.isWhole ? beginAgain(state, found, facts) : follow(state, found, facts);
}

/** Takes in the events above the last one here. */
function follow(state: SyncState, { events, summary: { seq } }: StoredSession, facts: SyncFacts): Transition {
  const { stored } = state;
  // Deltas that are known here may have been made one event with deltas that are not.
  const isRemade = events.some(({ since }) => since !== undefined && since <= stored);
  // An import may have put another log in the place of this one.
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
 * Begins again from the whole stored log.
 *
 * Invariant: what a person did here is done again on top of what another tab stored first; what ran here is over. Nothing
 * a person did is lost, and there is one order.
 */
function beginAgain(state: SyncState, { events, summary: { seq } }: StoredSession, facts: SyncFacts): Transition {
  const refusals = state.phase !== 'stale' ? 0 : state.refusedAt === seq ? state.refusals + 1 : 1;
  const counted = { ...state, refusals, refusedAt: seq };
  // A store that refuses although nobody has gone on would refuse for ever: the session stays stale until the store changes.
  if (refusals > tries) return [counted, []];
  const news = events.filter(({ seq, since = seq }) => since > state.stored);
  // Anything else in the store that is not known here would be among the news.
  if (news.length > 0 && news.length === seq - state.stored && news.every(isConcurrent)) {
    const [rebased, actions] = rebase(counted, news, seq);
    return [rebased, [...actions, { do: 'reset', events: [...events, ...rebased.unsaved], news }, { do: 'advance' }]];
  }
  const [yielded, actions] = yieldTo(counted, facts);
  const [restarted, more] = restart(yielded, seq);
  return [restarted, [...more, ...actions, { do: 'reset', events, news }, { do: 'replay', events: state.unsaved }]];
}

/** An erased session has been stored anew as these events; what was appended meanwhile is done again. */
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

/** What this tab drives has lost its ground: another tab runs the session, or has stored something that a run rests on. */
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

/** Goes on above `seq`; what was not written is forgotten here. */
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
 * Goes on above what another tab has stored beside what goes on here: unsaved events get the next numbers.
 *
 * Invariant: events of other tabs are part of what the run has in the store, so that the rewrite at its end keeps them.
 */
function rebase(state: SyncState, beside: readonly SessionEvent[], seq: number): Transition {
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
      runEvents: [...state.runEvents, ...beside],
      heard: 0,
      sent: seq,
      stored: seq,
    },
    [...(state.isTimed ? [{ do: 'stop-timer' } as const] : []), ...(hasUnsaved ? [{ do: 'end-turn' } as const] : [])],
  ];
}
