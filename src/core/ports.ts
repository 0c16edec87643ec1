/** What the core needs from outside. Tests hand in their own; a page needs to hand in none. */
export interface Ports {
  /** ms since the epoch */
  readonly now: () => number;
  /** A new id, unique for ever. */
  readonly id: () => string;
  /** Calls back once, when the next picture is about to be drawn. Gives a function that calls it off. */
  readonly frame: (callback: () => void) => () => void;
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
  frame(callback) {
    if (typeof requestAnimationFrame === 'function' && document.visibilityState === 'visible') {
      // A page that is hidden before the frame comes would wait for ever: whichever is first.
      let cancelTimer = (): void => {};
      const handle = requestAnimationFrame(() => (cancelTimer(), callback()));
      cancelTimer = browserPorts.delay(() => (cancelAnimationFrame(handle), callback()), 250);
      return () => (cancelAnimationFrame(handle), cancelTimer());
    }
    return browserPorts.delay(callback, 16);
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
    document.addEventListener('visibilitychange', whenHidden);
    const whenLeft = (): void => callback(true);
    addEventListener('pagehide', whenLeft);
    return () => {
      document.removeEventListener('visibilitychange', whenHidden);
      removeEventListener('pagehide', whenLeft);
    };
  },
};
