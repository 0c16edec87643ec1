/** What the core needs from outside. Tests hand in their own; a page needs to hand in none. */
export interface Ports {
  /** ms since the epoch */
  readonly now: () => number;
  /** A new id, unique for ever. */
  readonly id: () => string;
  /**
   * Calls back once, when the next picture is about to be drawn, then `drawn` with the ms that the callback and the picture took,
   * where that can be known. Gives a function that calls it off.
   */
  readonly frame: (callback: () => void, drawn?: (ms: number) => void) => () => void;
  /** Calls back once after `ms`. Gives a function that calls it off. */
  readonly delay: (callback: () => void, ms: number) => () => void;
  /** Calls back each time the page may be about to vanish; `leaving` when it is. Gives a function that ends it. */
  readonly onHide: (callback: (leaving: boolean) => void) => () => void;
}

/** The browser's own, with timers where there is no page (Node, workers) or where it is hidden and draws no frames. */
export const browserPorts: Ports = {
  now: () => Date.now(),
  // Pages that are neither https nor on this machine have no randomUUID.
  id: () => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-'),
  frame(callback, drawn) {
    const draws = typeof requestAnimationFrame === 'function' && document.visibilityState === 'visible';
    const first = (): void => {
      callOff();
      const begin = performance.now();
      callback();
      // A timer comes after the picture, layout included.
      if (drawn) browserPorts.delay(() => drawn(performance.now() - begin), 0);
    };
    const handle = draws ? requestAnimationFrame(first) : undefined;
    // A page that is hidden before the frame comes would wait for ever: whichever is first.
    const stopTimer = browserPorts.delay(first, draws ? 250 : 16);
    function callOff(): void {
      stopTimer();
      if (handle !== undefined) cancelAnimationFrame(handle);
    }
    return callOff;
  },
  delay(callback, ms) {
    const handle = setTimeout(callback, ms);
    return () => clearTimeout(handle);
  },
  onHide(callback) {
    if (typeof document === 'undefined') return () => {};
    const whenHidden = (): void => {
      if (document.visibilityState === 'hidden') callback(false);
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('visibilitychange', whenHidden, { signal });
    addEventListener('pagehide', () => callback(true), { signal });
    return () => listening.abort();
  },
};
