import type { SessionEvent } from '../core/model/event.ts';
import { evolve } from '../core/model/evolve.ts';
import { createFold, type FoldMark } from '../core/model/replay.ts';
import { initialState, type SessionState } from '../core/model/state.ts';
import { arrivedBy, toPieces, withStart } from './cadence.ts';

/** The states of a log, each by the number of events before it. */
export interface Timeline {
  readonly from: number;
  readonly to: number;
  /** Returns the state after the first `count` events. */
  stateAfter(count: number): SessionState;
  /** Returns the state at a time; a text that streamed then is as long as it was. */
  stateAtTime(at: number): SessionState;
  /** Returns the number of events up to this `seq`, included. */
  countAt(seq: number): number;
  /** Returns the number of events that had happened by this time. */
  countAtTime(at: number): number;
  /** Returns the time of the last of `count` events. */
  timeOf(count: number): number;
  /** Returns the next time after `at` at which the state changes, or `undefined` at the end. */
  timeAfter(at: number): number | undefined;
}

/** Least number of events between two cached states. */
const minStride = 128;
/** Maximum number of cached states. Invariant: memory grows linearly with the log, whatever each cached state has of its own. */
const maxCached = 64;
/** Up to this number of events after the latest result a plain reduce is the fastest. */
const few = 4;

/** Creates the timeline of a log of the present version. Each state is reduced from the nearest cached one before it. */
export function createTimeline(log: readonly SessionEvent[]): Timeline {
  const events = log.map(withStart);
  const stride = Math.max(minStride, Math.ceil(events.length / maxCached));
  const seqs = events.map(({ seq }) => seq);
  const times = toRising(events);
  const cached = toCached(events, stride);
  /** The latest result: playing and stepping forwards reduce one event each. */
  let latest = { count: 0, state: initialState('') };

  function stateAfter(count: number): SessionState {
    const isNear = latest.count > 0 && latest.count <= count && count - latest.count <= few;
    const state = isNear ? events.slice(latest.count, count).reduce(evolve, latest.state) : fromCached(count);
    latest = { count, state };
    return state;
  }

  /** Reduces a position from the cached state before it. Looks at the events in between, and at none of the finished messages. */
  function fromCached(count: number): SessionState {
    const index = Math.floor(count / stride);
    const folding = createFold(cached[index] ?? initialState(''));
    for (const event of events.slice(index * stride, count)) folding.add(event);
    return folding.getState();
  }

  /** The piece of a text that was streaming at `at`, after `count` events. */
  function growing(count: number, at: number): SessionEvent | undefined {
    const event = events[count];
    return event && at >= (times[count - 1] ?? 0) ? arrivedBy(event, at) : undefined;
  }

  function pieceAfter(count: number, at: number): number | undefined {
    const event = events[count];
    return event && toPieces(event).find((piece) => piece.at > at)?.at;
  }

  const countAtTime = (at: number): number => countUpTo(times, at);

  return {
    from: Math.min(times[0] ?? 0, pieceAfter(0, -Infinity) ?? Infinity),
    to: times.at(-1) ?? 0,
    stateAfter,
    countAtTime,
    countAt: (seq) => countUpTo(seqs, seq),
    timeOf: (count) => times[count - 1] ?? times[0] ?? 0,
    stateAtTime(at) {
      const count = countAtTime(at);
      const state = stateAfter(count);
      const piece = growing(count, at);
      return piece ? evolve(state, piece) : state;
    },
    timeAfter(at) {
      const count = countAtTime(at);
      const whole = times[count];
      return whole === undefined ? undefined : Math.min(whole, pieceAfter(count, at) ?? whole);
    },
  };
}

/** Returns the times of the events, never falling: where the clock was set back, an event has the time of the event before it. */
function toRising(events: readonly SessionEvent[]): readonly number[] {
  let latest = 0;
  return events.map(({ at }) => (latest = Math.max(at, latest)));
}

/** Returns marks after 0, `stride`, 2 × `stride` … events. */
function toCached(events: readonly SessionEvent[], stride: number): readonly FoldMark[] {
  const started = events.find((event) => event.type === 'session.started');
  const folding = createFold(initialState(started?.sessionId ?? ''));
  const cached = [folding.getMark()];
  for (const [index, event] of events.entries()) {
    folding.add(event);
    if ((index + 1) % stride === 0) cached.push(folding.getMark());
  }
  return cached;
}

/** Returns how many of the rising numbers are at most the limit. */
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
