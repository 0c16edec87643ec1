import { isDelta, type Cadence, type SessionEvent } from '../core/model/event.ts';
import { evolve } from '../core/model/evolve.ts';
import { upcastLog } from '../core/model/upcast.ts';
import { initialState, type SessionState } from '../core/model/state.ts';

/** A session's log, with the state at any moment of it. Returned by `createReview`. */
export interface Review {
  /** The events under review, as passed in. */
  readonly events: readonly SessionEvent[];
  /** Time of the first moment, in ms since the epoch; 0 for an empty log. */
  readonly from: number;
  /** Time of the last moment, in ms since the epoch; 0 for an empty log. */
  readonly to: number;
  /** Returns the state after all events up to this `seq`, included. */
  stateAt(seq: number): SessionState;
  /** Returns the state that was visible at that time, in ms since the epoch; a text that streamed then is as long as it was. */
  stateAtTime(at: number): SessionState;
}

/** Moments between two cached states. */
const stride = 256;

/**
 * Creates a view of a log at any moment, without a store, a model or a tool: for reviews, bug reports and replays. Each
 * call reduces at most 256 moments from the nearest cached state.
 *
 * @param events in the order of `seq`, of any version
 * @example
 * const review = createReview(stored.events);
 * const halfWay = review.stateAtTime((review.from + review.to) / 2);
 */
export function createReview(events: readonly SessionEvent[]): Review {
  const moments = upcastLog(events).flatMap(toPieces);
  const seqs = moments.map(({ seq }) => seq);
  /** Never falling: where the clock was set back, a moment has the time of the moment before it. */
  const times: number[] = [];
  for (const { at } of moments) times.push(Math.max(at, times.at(-1) ?? 0));

  const started = events.find((event) => event.type === 'session.started');
  /** Cached states after 0, 256, 512 … moments, up to the last one that was asked for. */
  const cached: SessionState[] = [initialState(started?.sessionId ?? '')];

  function stateAfter(count: number): SessionState {
    const nearest = Math.min(Math.floor(count / stride), cached.length - 1);
    let state = cached[nearest] ?? initialState('');
    for (let index = nearest * stride; index < count; index++) {
      const moment = moments[index];
      if (moment !== undefined) state = evolve(state, moment);
      if ((index + 1) % stride === 0) cached[(index + 1) / stride] = state;
    }
    return state;
  }

  return {
    events,
    from: times[0] ?? 0,
    to: times.at(-1) ?? 0,
    stateAt: (seq) => stateAfter(countUpTo(seqs, seq)),
    stateAtTime: (at) => stateAfter(countUpTo(times, at)),
  };
}

/** Splits a text with a cadence into the pieces in which it streamed. Each piece has its own time; all have the whole's `seq`. */
function toPieces(event: SessionEvent): readonly SessionEvent[] {
  if (!isDelta(event) || event.cadence === undefined) return [event];
  const { cadence, ...whole } = event;
  if (!isCadenceOf(cadence, whole.text)) return [whole];
  const pieces: SessionEvent[] = [];
  let start = 0;
  let at = whole.at - cadence.reduce((sum, ms, index) => (index % 2 === 0 ? sum + ms : sum), 0);
  for (let index = 0; index + 1 < cadence.length; index += 2) {
    at += cadence[index] ?? 0;
    const end = start + (cadence[index + 1] ?? 0);
    pieces.push({ ...whole, text: whole.text.slice(start, end), at });
    start = end;
  }
  return pieces.map((piece, index) => withSealIfLast(piece, index === pieces.length - 1));
}

/** Whether the cadence fits the text: an imported file may contain any cadence, and the pieces must add up to the text. */
function isCadenceOf(cadence: Cadence, text: string): boolean {
  const lengths = cadence.filter((_number, index) => index % 2 === 1);
  const isCounted = lengths.every((length) => Number.isSafeInteger(length) && length >= 0);
  return (
    isCounted &&
    cadence.length % 2 === 0 &&
    lengths.length > 0 &&
    lengths.reduce((sum, length) => sum + length, 0) === text.length
  );
}

/** Only the last piece of a reasoning part keeps the provider's seal: a sealed part takes no more text. */
function withSealIfLast(piece: SessionEvent, isLast: boolean): SessionEvent {
  if (isLast || piece.type !== 'reasoning.delta') return piece;
  const { provider: _seal, ...open } = piece;
  return open;
}

/** How many of the rising numbers are at most the limit. */
function countUpTo(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
