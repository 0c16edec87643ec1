import type { Review, ReviewView } from '../../review/index.ts';

/** What the length of the timeline stands for: each event has the same width, or each second has. */
export type ScaleName = 'events' | 'time';

/** A mark below the timeline. */
export interface Tick {
  /** 0 to 1. */
  readonly at: number;
  readonly label: string;
}

/** The places of a session on a line from 0 to 1. */
export interface Scale {
  /** Number of places, for a slider from 0 to `size`. */
  readonly size: number;
  /** Returns where the moment after `count` events is, from 0 to 1. */
  placeOf(count: number): number;
  /** Returns the position on the slider, from 0 to `size`. */
  positionOf(view: ReviewView): number;
  /** Moves the review to a position on the slider. */
  goTo(position: number): void;
}

/** ms: a longer pause is drawn as long as this one, so that a night does not hide the day. */
const longestPause = 5_000;

/** Returns the scale in which each event has the same width. */
function eventScale(review: Review): Scale {
  const { length } = review.events;
  return {
    size: length,
    placeOf: (count) => (length === 0 ? 0 : count / length),
    positionOf: ({ count }) => count,
    goTo: (position) => void review.goTo({ seq: review.events[position - 1]?.seq ?? 0 }),
  };
}

/** Returns the scale of the time, without most of a long pause. */
function timeScale(review: Review): Scale {
  let latest = review.from;
  let sum = 0;
  const ends = review.events.map(({ at }) => {
    sum += Math.min(Math.max(0, at - latest), longestPause);
    latest = Math.max(latest, at);
    return sum;
  });
  const size = Math.max(1, Math.round(sum));
  const endOf = (count: number): number => ends[count - 1] ?? 0;
  return {
    size,
    placeOf: (count) => endOf(count) / size,
    positionOf({ count, at, event }) {
      const next = ends[count];
      const since = Math.max(0, at - (event?.at ?? review.from));
      return Math.round(next === undefined ? endOf(count) : Math.min(endOf(count) + since, next));
    },
    goTo(position) {
      const next = ends.findIndex((end) => end > position);
      const count = next < 0 ? ends.length : next;
      const rest = position - endOf(count);
      const at = (review.events[count - 1]?.at ?? review.from) + rest;
      if (next < 0 || rest <= 0) review.goTo({ seq: review.events[count - 1]?.seq ?? 0 });
      else review.goTo({ at });
    },
  };
}

/** Returns a scale of a session. */
export function scaleOf(name: ScaleName, review: Review): Scale {
  return name === 'events' ? eventScale(review) : timeScale(review);
}

/** Returns five marks: the `seq` of events, or times since the start. */
export function ticksOf(name: ScaleName, review: Review, formatTime: (ms: number) => string): readonly Tick[] {
  const { events, from } = review;
  if (events.length === 0) return [];
  const scale = scaleOf(name, review);
  return [0, 0.25, 0.5, 0.75, 1].map((at) => {
    const count = countAt(scale, at, events.length);
    const label =
      name === 'events' ? String(events[count - 1]?.seq ?? 0) : formatTime((events[count - 1]?.at ?? from) - from);
    return { at, label };
  });
}

/** Returns how many events are left of a place. */
function countAt(scale: Scale, place: number, length: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (scale.placeOf(middle) <= place + 1e-9) low = middle;
    else high = middle - 1;
  }
  return low;
}
