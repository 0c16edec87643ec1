import { named } from '../core/model/shapes/named.ts';
import type { Observable } from 'rxjs';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionState } from '../core/model/state.ts';
import { upcastLog } from '../core/model/upcast.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import { toCalls } from './calls.ts';
import type { ReviewCall } from './review-call.ts';
import { type ReviewCompaction, toCompactions } from './compactions.ts';
import { type ReviewError, toErrors } from './errors.ts';
import { type EventKind, kindOf } from './kind.ts';
import { once } from './once.ts';
import { createPlayer, type PlayOptions, type ReviewView } from './player.ts';
import { type ReviewMatch, searchPassages, type SearchOptions, toPassages } from './search.ts';
import { type ReviewRun, type ReviewStep, toSteps } from './steps.ts';
import { createTimeline } from './timeline.ts';
import { type CostOf, toUsagePoints, type UsagePoint } from './usage.ts';

/** A moment of a log, by one of its names. */
export type ReviewPlace =
  /** After the event with this `seq`. */
  | { readonly seq: number }
  /** When the message appeared in the conversation or in the queue. */
  | { readonly messageId: string }
  /** When the run started. */
  | { readonly runId: string }
  /** When the request of the step was sent: index in `Review.steps`. */
  | { readonly step: number }
  /** ms since the epoch. */
  | { readonly at: number };

/** A session's log, with all that happened in it, and a position that moves through it. Returned by `createReview`. */
export interface Review {
  /** The events under review, in the shape of the present version. */
  readonly events: readonly SessionEvent[];
  /** Time of the first moment, in ms since the epoch; 0 for an empty log. */
  readonly from: number;
  /** Time of the last moment, in ms since the epoch; 0 for an empty log. */
  readonly to: number;
  readonly runs: readonly ReviewRun[];
  /** The requests of all runs, each with its answer. */
  readonly steps: readonly ReviewStep[];
  readonly calls: readonly ReviewCall[];
  readonly compactions: readonly ReviewCompaction[];
  readonly errors: readonly ReviewError[];
  /** Tokens and cost over time. */
  readonly usage: readonly UsagePoint[];
  /** Returns the state after all events up to this `seq`, included. */
  stateAt(seq: number): SessionState;
  /** Returns the state that was visible at that time, in ms since the epoch; a text that streamed then is as long as it was. */
  stateAtTime(at: number): SessionState;
  /** Returns the step that was under way at this `seq`, or the last one before; `undefined` before the first step. */
  stepAt(seq: number): ReviewStep | undefined;
  /** Returns the texts in which `text` occurs, in any case, in the order of the log. */
  search(text: string, options?: SearchOptions): readonly ReviewMatch[];

  /** The position, and what is shown there: at first the end of the log. */
  readonly view$: Observable<ReviewView>;
  getView(): ReviewView;
  /** Moves the position. Returns whether the log has the place. */
  goTo(place: ReviewPlace): boolean;
  /** Moves the position by one event, forwards (`1`) or backwards (`-1`): to the next event of one of the `kinds`. Default: of any kind. */
  move(direction: 1 | -1, kinds?: readonly EventKind[]): void;
  /** Moves the position to the next request (`1`), or to the last one before (`-1`). */
  moveStep(direction: 1 | -1): void;
  /** Moves the position in time, at the pace of the original or faster, until the end of the log. Starts again at the end. */
  play(options?: PlayOptions): void;
  /** Stops at the present position. */
  pause(): void;
}

/** Options of `createReview`, all optional. */
export interface ReviewOptions {
  /**
   * A review of the same session when its log was shorter. The position is that of the earlier review, which is paused; a review at the end
   * of its log stays at the end, and one that plays plays on.
   */
  readonly continues?: Review;
  /** Cost of tokens, for `Review.usage`. */
  readonly cost?: CostOf;
  /** Timers, for tests. Default: those of the browser. */
  readonly ports?: Pick<Ports, 'delay'>;
}

/** How each review plays, for the review that continues it. */
const playing = new WeakMap<Review, () => PlayOptions | undefined>();

/**
 * Creates a view of a log at any moment, without a store, a model or a tool: for reviews, bug reports and replays. Nothing in the log runs,
 * and nothing is loaded. A position is reduced from a cached state at most 128 events before it, in a log of more than 8,192 events at most
 * 1/64 of the log.
 *
 * @param log events in the order of `seq`, of any version
 * @example
 * const review = createReview(stored.events);
 * for (const step of review.steps) console.log(step.model, step.request, step.answer);
 * review.goTo({ at: (review.from + review.to) / 2 });
 * const halfWay = review.getView().state;
 */
export function createReview(log: readonly SessionEvent[], options: ReviewOptions = {}): Review {
  const { continues, cost, ports } = named(options, { continues: true, cost: true, ports: true }, 'createReview');
  const events = upcastLog(log);
  const timeline = createTimeline(events);
  const player = createPlayer(events, timeline, ports?.delay ?? browserPorts.delay);
  const outline = once(() => toSteps(events, timeline));
  const calls = once(() => toCalls(events, timeline));
  const compactions = once(() => toCompactions(events, timeline));
  const errors = once(() => toErrors(events));
  const usage = once(() => toUsagePoints(events, cost));
  const passages = once(() => toPassages(events));

  /** Returns the `seq` of a place; `undefined` when the log does not have it. */
  function seqOf(place: Exclude<ReviewPlace, { readonly at: number }>): number | undefined {
    if ('seq' in place) return place.seq;
    if ('step' in place) return outline().steps[place.step]?.seq;
    if ('runId' in place) return outline().runs.find(({ runId }) => runId === place.runId)?.seq;
    return events.find((event) => introduces(event, place.messageId))?.seq;
  }

  const review: Review = {
    events,
    from: timeline.from,
    to: timeline.to,
    get runs() {
      return outline().runs;
    },
    get steps() {
      return outline().steps;
    },
    get calls() {
      return calls();
    },
    get compactions() {
      return compactions();
    },
    get errors() {
      return errors();
    },
    get usage() {
      return usage();
    },
    stateAt: (seq) => timeline.stateAfter(timeline.countAt(seq)),
    stateAtTime: timeline.stateAtTime,
    stepAt: (seq) => outline().steps.findLast((step) => step.seq <= seq),
    search: (text, options = {}) =>
      searchPassages(passages(), text, named(options, { kinds: true, limit: true }, 'search')),

    view$: player.view$,
    getView: player.getView,
    goTo(place) {
      if ('at' in place) {
        player.goToTime(place.at);
        return true;
      }
      const seq = seqOf(place);
      if (seq === undefined) return false;
      player.goToCount(timeline.countAt(seq));
      return true;
    },
    move(direction, kinds) {
      const isWanted = (event: SessionEvent): boolean => kinds === undefined || kinds.includes(kindOf(event));
      const { count } = player.getView();
      const index =
        direction === 1
          ? events.findIndex((event, place) => place >= count && isWanted(event))
          : events.findLastIndex((event, place) => place < count - 1 && isWanted(event));
      if (index >= 0) player.goToCount(index + 1);
      else if (direction === -1 && kinds === undefined) player.goToCount(0);
    },
    moveStep(direction) {
      const { seq } = player.getView();
      const { steps } = outline();
      const step = direction === 1 ? steps.find((one) => one.seq > seq) : steps.findLast((one) => one.seq < seq);
      if (step) player.goToCount(timeline.countAt(step.seq));
    },
    play: player.play,
    pause: player.pause,
  };
  playing.set(review, player.getPlaying);
  if (continues) takeOver(review, continues);
  return review;
}

/** Moves a review to where an earlier one of a shorter log is. */
function takeOver(review: Review, before: Review): void {
  const { count, seq, isPlaying } = before.getView();
  const options = playing.get(before)?.();
  before.pause();
  if (count < before.events.length) review.goTo({ seq });
  if (isPlaying) review.play(options);
}

/** Whether a message begins with the event. */
function introduces(event: SessionEvent, messageId: string): boolean {
  switch (event.type) {
    case 'message.added':
    case 'message.queued':
      return event.message.id === messageId;
    case 'reply.started':
      return event.messageId === messageId;
    default:
      return false;
  }
}
