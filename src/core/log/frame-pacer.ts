import type { Ports } from '../ports.ts';

/** For each ms that a picture took, so many are left to typing and to the page's own work. */
const restPerWork = 4;
/** ms; text that stands still for longer seems stuck. */
const longestRest = 250;
/** ms; what is shorter than a frame is none. */
const shortestRest = 16;
/**
 * ms of rest, times the root of the characters that come with a frame: of 16 (1,000 a second, faster than anybody reads) each other
 * frame is left out, of 200 there are 15 pictures a second.
 */
const restPerRoot = 4;

/** Says when it is time to tell of text that streams. */
export interface FramePacer {
  /** There is something new, so many characters of text among it: `tell` is called soon. */
  want(length: number): void;
  /** All has been told by other means. */
  done(): void;
}

/**
 * Calls `tell` before a picture is drawn: the next one, or a later one where the last took long, as it does where a page shows a
 * thousand messages, or where text comes faster than anybody reads. So drawing text takes a fifth of the time at most.
 *
 * @param pace ms between two calls, whatever a picture takes and however fast text comes; 0 for every frame
 */
export function createFramePacer(
  { frame, delay }: Pick<Ports, 'frame' | 'delay'>,
  tell: () => void,
  pace?: number,
): FramePacer {
  /** Characters that have not been told; what has none counts as one. */
  let news = 0;
  let leastRest = 0;
  /** ms that were rested before. */
  let rested = 0;
  /** Calls off the frame, or the rest, that is awaited. */
  let callOff: (() => void) | undefined;

  function draw(): void {
    callOff = undefined;
    leastRest = restPerRoot * Math.sqrt(news / (1 + rested / shortestRest));
    if (news === 0) return;
    news = 0;
    tell();
  }

  function rest(took: number): void {
    const ms = pace ?? Math.min(Math.max(took * restPerWork, leastRest), longestRest);
    rested = ms < shortestRest ? 0 : ms;
    if (rested === 0) return;
    // More may have come while the picture was drawn.
    callOff?.();
    callOff = delay(() => {
      callOff = undefined;
      if (news > 0) ask();
    }, rested);
  }

  function ask(): void {
    callOff ??= frame(draw, rest);
  }

  return {
    want(length) {
      news += length || 1;
      ask();
    },
    done() {
      news = 0;
    },
  };
}
