import type { Ports } from '../ports.ts';

/** ms of rest for each ms that drawing a frame took: the rest is left to typing and to the work of the page. */
const restPerWork = 4;
/** ms; text that does not change for longer seems stuck. */
const longestRest = 250;
/** ms; a rest that is shorter than a frame is skipped. */
const shortestRest = 16;
/**
 * ms of rest, multiplied by the square root of the characters per frame. With 16 characters (1,000 a second, faster than people
 * read) every other frame is skipped; with 200 characters, 15 frames a second are drawn.
 */
const restPerRoot = 4;

/** Decides when subscribers are notified of streaming text. */
export interface FramePacer {
  /** Schedules a call of `notify`. @param length characters of new text; 0 for another change */
  want(length: number): void;
  /** Subscribers have been notified of every change by other means: `notify` is not called before the next `want`. */
  done(): void;
}

/**
 * Creates a throttle that calls `notify` before a frame is drawn: the next frame, or a later one if the last frame took long (as
 * on a page that shows a thousand messages) or if text arrives faster than people read. Drawing text takes a fifth of the time
 * at most.
 *
 * @param pace ms between two calls, regardless of the time that a frame takes and of the speed of the text; 0 for every frame
 */
export function createFramePacer(
  { frame, delay }: Pick<Ports, 'frame' | 'delay'>,
  notify: () => void,
  pace?: number,
): FramePacer {
  /** Characters of which subscribers have not been notified; a change without text counts as one. */
  let unreported = 0;
  let leastRest = 0;
  /** ms of the last rest. */
  let lastRest = 0;
  /** Cancels the frame or the rest under way. */
  let cancel: (() => void) | undefined;

  function draw(): void {
    cancel = undefined;
    leastRest = restPerRoot * Math.sqrt(unreported / (1 + lastRest / shortestRest));
    if (unreported === 0) return;
    unreported = 0;
    notify();
  }

  function rest(took: number): void {
    const ms = pace ?? Math.min(Math.max(took * restPerWork, leastRest), longestRest);
    lastRest = ms < shortestRest ? 0 : ms;
    if (lastRest === 0) return;
    // More text may have come, and a frame been scheduled, while the frame was drawn.
    cancel?.();
    cancel = delay(() => {
      cancel = undefined;
      if (unreported > 0) schedule();
    }, lastRest);
  }

  function schedule(): void {
    cancel ??= frame(draw, rest);
  }

  return {
    want(length) {
      unreported += length || 1;
      schedule();
    },
    done() {
      unreported = 0;
    },
  };
}
