import type { AgentError } from '../error.ts';
import { rewrite } from './rewrite.ts';
import { isDelta, type SessionEvent } from './event.ts';
import { shifted } from './rebase.ts';
import type { SessionWrite } from './store.ts';
import { becameSaved, look } from './sync-reads.ts';
import {
  type Action,
  type Batch,
  firstRetry,
  type Found,
  groupFor,
  groupUpTo,
  lastRetry,
  lastSeq,
  type SyncState,
  type Transition,
} from './sync-state.ts';
import { toWriteId } from './write-id.ts';

/** Whether an event, coalesced with those before, is urgent: the event does not wait to be written with later text. */
export function isUrgentEvent(event: SessionEvent): boolean {
  return !isDelta(event) || event.text.length >= groupUpTo;
}

/** Whether the next write includes an appended event anyway, so that `appended` would not change the state: mostly so for text. */
export function isInNextWrite({ phase, isUrgent, isTimed, isClosed }: SyncState, isEventUrgent: boolean): boolean {
  return (
    isClosed || phase === 'failed' || phase === 'stale' || isUrgent || (isTimed && !isEventUrgent && phase !== 'saved')
  );
}

/**
 * An event has been appended. Invariant: the events of one turn are in one write; text waits `groupFor` ms for more text. A failed
 * log keeps its events for the next try, a stale log for the end of the read.
 */
export function appended(state: SyncState, isUrgent: boolean): Transition {
  if (state.phase !== 'saved' && state.phase !== 'dirty' && state.phase !== 'saving') return [state, []];
  const phase = state.inFlight > 0 ? 'saving' : 'dirty';
  if (isUrgent) return [{ ...state, phase, isUrgent }, state.inFlight > 0 ? [] : [{ do: 'end-turn' }]];
  return [{ ...state, phase, isTimed: true }, [{ do: 'wait', ms: groupFor }]];
}

/**
 * Invariant: one write at a time. If a write were refused, the store could accept the next one as the continuation of the write
 * of another tab.
 */
export function writeWhenFree(state: SyncState): Transition {
  if (state.inFlight > 0) return [{ ...state, isUrgent: state.unsaved.length > 0 }, []];
  return write(state, 'relaxed');
}

/**
 * Starts a write of all unsaved events in this turn, also during another write: the page may be closed before the next turn.
 *
 * Invariant: each write builds on the `seq` that the store has when every earlier write has succeeded.
 */
export function write(state: SyncState, durability: SessionWrite['durability']): Transition {
  const { sent, sentId, phase, inFlight, isTimed, runEvents, pieces } = state;
  const unsaved = state.unsaved.slice(0, pieces);
  const rest = state.unsaved.slice(unsaved.length);
  const seq = unsaved.at(-1)?.seq;
  if (seq === undefined || phase === 'stale') return [state, []];
  const endsRun = isRunEnded(unsaved);
  const writeId = toWriteId(state.lineage, `${state.writer}.${state.writes}`);
  // The effects of a tool cannot be undone: the start of a call has to survive a loss of power, whatever caused the write.
  const isClaim = unsaved.some(({ type }) => type === 'call.started');
  const action: Action = {
    do: 'write',
    batch: { events: unsaved, expected: { seq: sent, writeId: sentId }, seq, writeId, endsRun },
    durability: isClaim ? 'strict' : durability,
    // During another write the content of the store is not known: deltas are then not rewritten as one event.
    content:
      endsRun && inFlight === 0 && pieces === undefined
        ? rewrite(runEvents, unsaved)
        : { events: unsaved, ...(unsaved.every(isStreamed) && { phase: 'streaming' }) },
  };
  return [
    {
      ...state,
      phase: phase === 'failed' ? phase : 'saving',
      unsaved: rest,
      isUrgent: rest.length > 0,
      isTimed: false,
      sent: seq,
      sentId: writeId,
      writes: state.writes + 1,
      inFlight: inFlight + 1,
    },
    [...(isTimed ? [{ do: 'stop-timer' } as const] : []), action],
  ];
}

const isRunEnded = (events: readonly SessionEvent[]): boolean => events.some(({ type }) => type === 'run.ended');

/** Whether the list of sessions does not need the event before the next step or the end of the run. */
function isStreamed(event: SessionEvent): boolean {
  return isDelta(event) || event.type === 'reply.ended';
}

type Written = Pick<Batch, 'events' | 'seq' | 'endsRun'>;

/**
 * A write has succeeded. Invariant: of the changes that the store reports, one belongs to each acknowledged write. The writes on which
 * this one builds are stored, whatever their answers were.
 */
export function wrote(state: SyncState, { seq, events, endsRun }: Written): Transition {
  // A store that does not compare the ids of writes may accept a write that builds on a refused one.
  const isLost = state.refused[0]?.error.code === 'STORAGE_CONFLICT';
  const isBase = ({ batch }: SyncState['refused'][number]): boolean => !isLost && batch.seq < seq;
  const before = state.refused.filter(isBase).flatMap(({ batch }) => batch.events);
  return settle({
    ...state,
    inFlight: state.inFlight - 1,
    stored: seq,
    pieces: state.pieces === undefined || seq >= state.plainUpTo ? undefined : state.pieces * 2,
    refused: state.refused.filter((one) => !isBase(one)),
    unsure: [],
    runEvents: endsRun ? [] : [...state.runEvents, ...before, ...events],
    retryIn: firstRetry,
    heard: state.heard - 1,
  });
}

/**
 * Returns the transition when the store turns out to end with a refused write of this tab, whose answer was lost: the write counts as
 * acknowledged. Otherwise returns `undefined`.
 *
 * Invariant: changes that other tabs have stored since are read when every event is stored.
 */
export function foundOwn(state: SyncState, found: Found): Transition | undefined {
  if (typeof found !== 'object' || state.phase !== 'stale') return undefined;
  const own = state.unsure.find(({ writeId }) => writeId === found.writeId);
  if (own === undefined) return undefined;
  const { seq, writeId: sentId } = own;
  const events = state.unsaved.filter((event) => event.seq <= seq);
  const unsaved = state.unsaved.slice(events.length);
  const rest = { unsaved, isUrgent: unsaved.length > 0, sent: seq, sentId };
  const written = { ...state, ...rest, reading: undefined, heard: Infinity, inFlight: 1 };
  return wrote(written, { events, seq, endsRun: isRunEnded(events) });
}

/** A write has failed. Invariant: its events are kept until no write is under way. */
export function wasRefused(state: SyncState, batch: Batch, error: AgentError): Transition {
  return settle({ ...state, inFlight: state.inFlight - 1, refused: [...state.refused, { batch, error }] });
}

/** Number of refused writes of which one may be in the store: a disk that refuses all day is asked some thousand times. */
const mostUnsure = 64;

/** A write has ended. Invariant: the events of refused writes come first in the next write, which builds on the same `seq`. */
function settle(state: SyncState): Transition {
  const [first] = state.refused;
  if (state.inFlight > 0) return [state, []];
  if (first !== undefined) {
    const unsaved = [...state.refused.flatMap(({ batch }) => batch.events), ...state.unsaved];
    const { seq, writeId } = first.batch.expected;
    const tips = state.refused.map(({ batch }) => ({ seq: batch.seq, writeId: batch.writeId }));
    const kept: SyncState = {
      ...state,
      unsaved,
      sent: seq,
      sentId: writeId,
      unsure: [...state.unsure, ...tips].slice(-mostUnsure),
      refused: [],
      isUrgent: false,
    };
    if (first.error.code === 'STORAGE_CONFLICT') return becomeStale(kept, first.error);
    if (first.error.code !== 'STORAGE_REJECTED') return retryLater(kept, first.error);
    return first.batch.seq > state.plainUpTo ? writePlain(kept) : writePiece(kept, first);
  }
  if (state.unsaved.length === 0) return becameSaved(state);
  const dirty: SyncState = { ...state, phase: 'dirty', problem: undefined };
  if (state.isUrgent) return write(dirty, 'relaxed');
  return state.isTimed ? [dirty, []] : [{ ...dirty, isTimed: true }, [{ do: 'wait', ms: groupFor }]];
}

/**
 * Removes an unsaved event that the store has refused; later events get the numbers before theirs. Invariant: an event that may be in
 * the store is not removed.
 */
export function withdrawn(state: SyncState, seq: number): Transition {
  const { inFlight, phase } = state;
  if (inFlight > 0 || phase === 'stale' || !state.unsaved.some((event) => event.seq === seq)) return [state, []];
  const later = state.unsaved.filter((event) => event.seq > seq).map((event) => shifted(event, -1));
  const unsaved = [...state.unsaved.filter((event) => event.seq < seq), ...later];
  // The store may have the event: a write that contains it is not a write of this log any more.
  const without: SyncState = { ...state, unsaved, unsure: [] };
  if (unsaved.length > 0) return [without, []];
  const [saved, actions] = becameSaved({ ...without, isUrgent: false, isTimed: false, retryIn: firstRetry });
  return [saved, [...(state.isTimed ? [{ do: 'stop-timer' } as const] : []), ...actions]];
}

/** Invariant: an event that no try can store does not hold up the others: they are written, and a mark in its place. */
function writePlain(state: SyncState): Transition {
  const unsaved = state.unsaved.map(toStorable);
  return write({ ...state, unsaved, plainUpTo: lastSeq(state) }, 'relaxed');
}

/** Events that the page acts upon once they are stored, or without which no log begins: no mark takes their place. */
const irreplaceable: ReadonlySet<SessionEvent['type']> = new Set(['session.started', 'call.started', 'event.dropped']);

/**
 * Plain events have been refused: half of them are tried, until it is known which event the store refuses. A mark takes its place, and
 * the others are stored. A store that refuses the mark too refuses everything, and is asked again later.
 */
function writePiece(state: SyncState, { batch, error }: SyncState['refused'][number]): Transition {
  const [event] = batch.events;
  if (batch.events.length > 1 || event === undefined)
    return write({ ...state, pieces: Math.ceil(batch.events.length / 2) }, 'relaxed');
  if (irreplaceable.has(event.type)) return retryLater({ ...state, pieces: undefined }, error);
  const [, ...later] = state.unsaved;
  return write({ ...state, unsaved: [toMark(event), ...later], pieces: 1 }, 'relaxed');
}

const toMark = ({ seq, at, v, type }: SessionEvent): SessionEvent => ({ type: 'event.dropped', of: type, seq, at, v });

function toStorable(event: SessionEvent): SessionEvent {
  try {
    const copy: SessionEvent = JSON.parse(JSON.stringify(event));
    return copy;
  } catch {
    return toMark(event);
  }
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

/** Invariant: a failed log keeps its events and retries; the delay doubles with each failure, up to `lastRetry`. */
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
