import { isDelta, type Cadence, type SessionEvent } from '../core/model/event.ts';
import { evolve } from '../core/model/evolve.ts';
import { upcastLog } from '../core/model/upcast.ts';
import { initialState, type SessionState } from '../core/model/state.ts';

/** A session's log, to be looked at as it was at any moment. */
export interface Review {
  readonly events: readonly SessionEvent[];
  /** `at` of the first and of the last moment, ms since the epoch; both 0 for an empty log. */
  readonly from: number;
  readonly to: number;
  /** What the events up to this `seq` (included) come to. */
  stateAt(seq: number): SessionState;
  /** What was there to see at that time, ms since the epoch: of a text that was being said, as much as had been said. */
  stateAtTime(at: number): SessionState;
}

/** Events between two remembered states. */
const stride = 256;

/**
 * Lets a log be travelled through, without a store, a model or a tool: for reviews, bug reports and replays.
 * Moving is cheap: at most 256 events are folded from the nearest remembered state.
 *
 * @param events in the order of `seq`
 */
export function createReview(events: readonly SessionEvent[]): Review {
  const moments = upcastLog(events).flatMap(toPieces);
  const seqs = moments.map(({ seq }) => seq);
  /** A clock may have been set back: what came later is not earlier. */
  const times: number[] = [];
  for (const { at } of moments) times.push(Math.max(at, times.at(-1) ?? 0));

  const started = events.find((event) => event.type === 'session.started');
  /** States after 0, 256, 512 … moments, as far as somebody wanted to know. */
  const remembered: SessionState[] = [initialState(started?.sessionId ?? '')];

  function stateAfter(count: number): SessionState {
    const nearest = Math.min(Math.floor(count / stride), remembered.length - 1);
    let state = remembered[nearest] ?? initialState('');
    for (let index = nearest * stride; index < count; index++) {
      const moment = moments[index];
      if (moment !== undefined) state = evolve(state, moment);
      if ((index + 1) % stride === 0) remembered[(index + 1) / stride] = state;
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

/** A text with its pace as the pieces it came in; each has the time at which it came, and all have the whole's seq. */
function toPieces(event: SessionEvent): readonly SessionEvent[] {
  if (!isDelta(event) || event.cadence === undefined) return [event];
  const { cadence, ...whole } = event;
  if (!isPaceOf(cadence, whole.text)) return [whole];
  const pieces: SessionEvent[] = [];
  let start = 0;
  let at = whole.at - cadence.reduce((sum, ms, index) => (index % 2 === 0 ? sum + ms : sum), 0);
  for (let index = 0; index + 1 < cadence.length; index += 2) {
    at += cadence[index] ?? 0;
    const end = start + (cadence[index + 1] ?? 0);
    pieces.push({ ...whole, text: whole.text.slice(start, end), at });
    start = end;
  }
  return pieces.map((piece, index) => sealedLast(piece, index === pieces.length - 1));
}

/** A file may say anything; a replay must come to what the log says. */
function isPaceOf(pace: Cadence, text: string): boolean {
  const lengths = pace.filter((_number, index) => index % 2 === 1);
  const isCounted = lengths.every((length) => Number.isSafeInteger(length) && length >= 0);
  return (
    isCounted &&
    pace.length % 2 === 0 &&
    lengths.length > 0 &&
    lengths.reduce((sum, length) => sum + length, 0) === text.length
  );
}

/** Only the end of a reasoning part carries its provider's seal: nothing can be added to a sealed part. */
function sealedLast(piece: SessionEvent, isLast: boolean): SessionEvent {
  if (isLast || piece.type !== 'reasoning.delta') return piece;
  const { provider: _seal, ...open } = piece;
  return open;
}

/** How many of the rising numbers are not above the limit. */
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
