import type { AgentError } from '../error.ts';
import { rewrite } from './coalesce.ts';
import { isDelta, type SessionEvent } from './event.ts';
import type { SessionWrite } from './store.ts';
import { becameSaved, look } from './sync-reads.ts';
import {
  type Action,
  type Batch,
  firstRetry,
  groupFor,
  groupUpTo,
  lastRetry,
  type SyncState,
  type Transition,
} from './sync-state.ts';

/** Whether an event, joined with those before it, need not wait to be grouped with later ones. */
export function isPressing(event: SessionEvent): boolean {
  return !isDelta(event) || event.text.length >= groupUpTo;
}

/** Whether the next write covers an appended event anyway, so that `appended` would change nothing: mostly so for text. */
export function isNoted({ phase, isUrgent, isTimed, isClosed }: SyncState, isPressing: boolean): boolean {
  return (
    isClosed || phase === 'failed' || phase === 'stale' || isUrgent || (isTimed && !isPressing && phase !== 'saved')
  );
}

/**
 * Invariant: whatever is appended in one turn is in one write; text waits `groupFor` ms for more text. A failing or stale log
 * keeps its events for the next try, or for the log that is read.
 */
export function appended(state: SyncState, isUrgent: boolean): Transition {
  if (state.phase !== 'saved' && state.phase !== 'dirty' && state.phase !== 'saving') return [state, []];
  const phase = state.inFlight > 0 ? 'saving' : 'dirty';
  if (isUrgent) return [{ ...state, phase, isUrgent }, state.inFlight > 0 ? [] : [{ do: 'end-turn' }]];
  return [{ ...state, phase, isTimed: true }, [{ do: 'wait', ms: groupFor }]];
}

/** Invariant: one write at a time: above a refused write, the next could be taken for the sequel of another tab's write. */
export function writeWhenFree(state: SyncState): Transition {
  if (state.inFlight > 0) return [{ ...state, isUrgent: state.unsaved.length > 0 }, []];
  return write(state, 'relaxed');
}

/** Starts a write of all unsaved events in this turn, also beside a write under way: the page may be gone in the next. */
export function write(state: SyncState, durability: SessionWrite['durability']): Transition {
  const { unsaved, sent, phase, inFlight, isTimed, runEvents } = state;
  const seq = unsaved.at(-1)?.seq;
  if (seq === undefined || phase === 'stale') return [state, []];
  const endsRun = unsaved.some(({ type }) => type === 'run.ended');
  // What a tool does cannot be taken back: that it began has to survive a loss of power, whatever caused the write.
  const isClaim = unsaved.some(({ type }) => type === 'call.started');
  const action: Action = {
    do: 'write',
    batch: { events: unsaved, expectedSeq: sent, seq, endsRun },
    durability: isClaim ? 'strict' : durability,
    // While another write is under way it is not known what the store holds: deltas are then not made one event.
    content:
      endsRun && inFlight === 0
        ? rewrite(runEvents, unsaved)
        : { events: unsaved, ...(unsaved.every(isStreamed) && { phase: 'streaming' }) },
  };
  return [
    {
      ...state,
      phase: phase === 'failed' ? phase : 'saving',
      unsaved: [],
      isUrgent: false,
      isTimed: false,
      sent: seq,
      inFlight: inFlight + 1,
    },
    [...(isTimed ? [{ do: 'stop-timer' } as const] : []), action],
  ];
}

/** Whether the list of sessions can do without the event until the run's next step or end. */
function isStreamed(event: SessionEvent): boolean {
  return isDelta(event) || event.type === 'reply.ended';
}

export function wrote(state: SyncState, { seq, events, endsRun }: Batch): Transition {
  return settle({
    ...state,
    inFlight: state.inFlight - 1,
    stored: seq,
    runEvents: endsRun ? [] : [...state.runEvents, ...events],
    retryIn: firstRetry,
    heard: state.heard - 1,
  });
}

export function wasRefused(state: SyncState, batch: Batch, error: AgentError): Transition {
  return settle({ ...state, inFlight: state.inFlight - 1, refused: [...state.refused, { batch, error }] });
}

/** One write less is under way. Invariant: events of a refused write come first in the next one, which builds on the same `seq`. */
function settle(state: SyncState): Transition {
  const [first] = state.refused;
  if (state.inFlight > 0) return [state, []];
  if (first !== undefined) {
    const unsaved = [...state.refused.flatMap(({ batch }) => batch.events), ...state.unsaved];
    const kept: SyncState = { ...state, unsaved, sent: first.batch.expectedSeq, refused: [], isUrgent: false };
    return first.error.code === 'STORAGE_CONFLICT' ? becomeStale(kept, first.error) : retryLater(kept, first.error);
  }
  if (state.unsaved.length === 0) return becameSaved(state);
  const going: SyncState = { ...state, phase: 'dirty', problem: undefined };
  if (state.isUrgent) return write(going, 'relaxed');
  return state.isTimed ? [going, []] : [{ ...going, isTimed: true }, [{ do: 'wait', ms: groupFor }]];
}

/** Invariant: a stale log writes nothing until it has been read again. */
function becomeStale(state: SyncState, error: AgentError): Transition {
  const [next, actions] = look({
    ...state,
    phase: 'stale',
    problem: { state: 'stale', error },
    isTimed: false,
  });
  return [next, [...(state.isTimed ? [{ do: 'stop-timer' } as const] : []), ...actions]];
}

function retryLater(state: SyncState, error: AgentError): Transition {
  const { retryIn } = state;
  return [
    {
      ...state,
      phase: 'failed',
      problem: { state: 'failed', error },
      isTimed: true,
      retryIn: Math.min(retryIn * 2, lastRetry),
    },
    [{ do: 'wait', ms: retryIn }],
  ];
}
