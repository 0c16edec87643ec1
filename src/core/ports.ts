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
  /** Calls back each time the page may be about to vanish. Gives a function that ends it. */
  readonly onHide: (callback: () => void) => () => void;
}

/** The browser's own, with timers where there is no page (Node, workers) or where it is hidden and draws no frames. */
export const browserPorts: Ports = {
  now: () => Date.now(),
  id: () => crypto.randomUUID(),
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
      if (document.visibilityState === 'hidden') callback();
    };
    document.addEventListener('visibilitychange', whenHidden);
    addEventListener('pagehide', callback);
    return () => {
      document.removeEventListener('visibilitychange', whenHidden);
      removeEventListener('pagehide', callback);
    };
  },
};
