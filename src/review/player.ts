import { named } from '../core/model/shapes/named.ts';
import { type Observable, Subject } from 'rxjs';
import { current } from '../core/log/current.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionState } from '../core/model/state.ts';
import type { Ports } from '../core/ports.ts';
import type { Timeline } from './timeline.ts';

/** What a review shows at its position. */
export interface ReviewView {
  /** Number of events up to the position. */
  readonly count: number;
  /** `seq` of the last of them; 0 before the first. */
  readonly seq: number;
  /** Time of the position: ms since the epoch. */
  readonly at: number;
  /** The last event up to the position. */
  readonly event: SessionEvent | undefined;
  /** The state at the position; a text that streams there is as long as it was. */
  readonly state: SessionState;
  readonly isPlaying: boolean;
}

/** Options of `Review.play`. */
export interface PlayOptions {
  /** Factor of the original pace. Default 1. */
  readonly speed?: number;
  /** Maximum ms to wait where nothing happened, such as before a decision. Default 2,000. */
  readonly longestPause?: number;
}

export interface Player {
  readonly view$: Observable<ReviewView>;
  getView(): ReviewView;
  /** Moves to the position after `count` events. */
  goToCount(count: number): void;
  goToTime(at: number): void;
  play(options?: PlayOptions): void;
  pause(): void;
  /** The options with which the review plays. */
  getPlaying(): PlayOptions | undefined;
}

/** ms between two views of a text that streams faster. */
const frame = 16;

/** Creates the position in a log, at its end. */
export function createPlayer(events: readonly SessionEvent[], timeline: Timeline, delay: Ports['delay']): Player {
  const changes = new Subject<void>();
  let playing: PlayOptions | undefined;
  let cancel = (): void => {};
  let view = viewAfter(events.length);

  function viewAfter(count: number): ReviewView {
    return toView(count, timeline.timeOf(count), timeline.stateAfter(count));
  }

  function toView(count: number, at: number, state: SessionState): ReviewView {
    const event = events[count - 1];
    return { count, seq: event?.seq ?? 0, at, event, state, isPlaying: playing !== undefined };
  }

  function show(next: ReviewView): void {
    view = next;
    changes.next();
  }

  function goToTime(at: number): void {
    show(toView(timeline.countAtTime(at), at, timeline.stateAtTime(at)));
  }

  function stop(): void {
    cancel();
    playing = undefined;
  }

  /** Waits for the next moment. Moments that are closer than a frame are shown together. */
  function continuePlaying({ speed = 1, longestPause = 2_000 }: PlayOptions): void {
    const moment = timeline.timeAfter(view.at);
    if (moment === undefined) {
      stop();
      return show({ ...view, isPlaying: false });
    }
    const target = Math.min(Math.max(moment, view.at + frame * speed), timeline.to);
    const wait = Math.min((target - view.at) / speed, longestPause);
    cancel = delay(() => {
      goToTime(target);
      // A subscriber may have paused.
      if (playing) continuePlaying(playing);
    }, wait);
  }

  return {
    view$: current(changes, () => view),
    getView: () => view,
    goToCount(count) {
      show(viewAfter(Math.max(0, Math.min(count, events.length))));
      restart();
    },
    goToTime(at) {
      goToTime(at);
      restart();
    },
    play(options = {}) {
      named(options, { speed: true, longestPause: true }, 'play');
      stop();
      playing = options;
      goToTime(view.at >= timeline.to ? timeline.from : view.at);
      restart();
    },
    pause() {
      if (playing === undefined) return;
      stop();
      show({ ...view, isPlaying: false });
    },
    getPlaying: () => playing,
  };

  /** Plays on from a new position. */
  function restart(): void {
    if (playing === undefined) return;
    cancel();
    continuePlaying(playing);
  }
}
