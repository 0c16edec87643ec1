/** The environment of the core: clock, ids, timers and frames. Tests pass their own; a page uses `browserPorts` by default. */
export interface Ports {
  /** Returns the current time: ms since the epoch. */
  readonly now: () => number;
  /** Returns a new, globally unique id. */
  readonly id: () => string;
  /**
   * Calls `callback` once, before the next frame is drawn, then `drawn` with the ms that the callback and the frame took, layout included,
   * where the time can be measured. Returns a function that cancels the callback.
   */
  readonly frame: (callback: () => void, drawn?: (ms: number) => void) => () => void;
  /**
   * Calls `callback` once after `ms`, or after the longest delay that a timer has (24 days in a browser). Returns a function that cancels the
   * callback. `housekeeping`: the callback alone does not keep a
   * process (Node) alive.
   */
  readonly delay: (callback: () => void, ms: number, housekeeping?: boolean) => () => void;
  /** Calls `callback` each time the page is hidden; `leaving`: whether the page is being unloaded. Returns a function that unsubscribes. */
  readonly onHide: (callback: (leaving: boolean) => void) => () => void;
  /**
   * Calls `callback` each time the page is shown, restored from the back-forward cache, or gets the focus: the page may have been paused,
   * and have missed what other tabs did. Returns a function that unsubscribes.
   */
  readonly onShow: (callback: () => void) => () => void;
  /** Calls `callback` once, as soon as there is a network: see `AgentOptions.autoResume`. Default: by the event `online` of the window. */
  readonly whenOnline?: WhenOnline | undefined;
  /**
   * Whether this page drives runs. `false`: another page or a worker does, and this page follows; it starts no queued message, expires no call
   * and resumes nothing by itself. Asked each time. Default: yes.
   */
  readonly drives?: (() => boolean) | undefined;
}

/** ms: the largest delay of a browser timer (a signed 32-bit integer); with a longer delay the timer fires at once. */
const longestDelay = 2 ** 31 - 1;

/** The ports of the browser. A timer replaces frames without a page (Node, workers) and on a hidden page, which draws no frames. */
export const browserPorts: Ports = {
  now: () => Date.now(),
  // `randomUUID` exists in secure contexts only: https and localhost.
  id: () => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-'),
  frame(callback, drawn) {
    // A dedicated worker has `requestAnimationFrame`, but no document.
    const draws = typeof document !== 'undefined' && document.visibilityState === 'visible';
    const first = (): void => {
      cancel();
      const begin = performance.now();
      callback();
      // A timer fires after the frame has been drawn, layout included.
      if (drawn) browserPorts.delay(() => drawn(performance.now() - begin), 0);
    };
    const handle = draws ? globalThis.requestAnimationFrame?.(first) : undefined;
    // On a page that is hidden before the frame, the frame never comes: the timer or the frame, whichever is first.
    const stopTimer = browserPorts.delay(first, draws ? 250 : 16);
    function cancel(): void {
      stopTimer();
      if (handle !== undefined) cancelAnimationFrame(handle);
    }
    return cancel;
  },
  delay(callback, ms, housekeeping = false) {
    const handle = setTimeout(callback, Math.min(ms, longestDelay));
    if (housekeeping) unref(handle);
    return () => clearTimeout(handle);
  },
  onHide: (callback) =>
    listen(['visibilitychange', 'pagehide'], (type) => {
      const leaving = type === 'pagehide';
      if (leaving || document.visibilityState === 'hidden') callback(leaving);
    }),
  onShow: (callback) =>
    listen(['visibilitychange', 'pageshow', 'focus'], () => {
      if (document.visibilityState === 'visible') callback();
    }),
};

/** Calls `callback` once, as soon as there is a network. Returns a function that cancels. */
export type WhenOnline = (callback: () => void) => () => void;

/**
 * Returns what waits by the events of the window; `undefined` where there are none, in Node for example: nothing would end the wait. Asked
 * when it is needed: the environment may be there later than this module.
 */
export function whenOnline(): WhenOnline | undefined {
  return typeof addEventListener === 'function' ? waitForNetwork : undefined;
}

function waitForNetwork(callback: () => void): () => void {
  // The network may have come back since the failure.
  if (globalThis.navigator?.onLine ?? true) {
    callback();
    return () => {};
  }
  const listening = new AbortController();
  addEventListener('online', callback, { once: true, signal: listening.signal });
  return () => listening.abort();
}

/** Lets a process end although a timer or a channel is open. Only Node has `unref`: in a browser nothing happens. */
export function unref(holder: unknown): void {
  const held: { unref?: () => void } = Object(holder);
  held.unref?.();
}

/** Listens to events of the window, where there is one. Returns a function that stops listening. */
function listen(types: readonly string[], callback: (type: string) => void): () => void {
  if (typeof document === 'undefined') return () => {};
  const listening = new AbortController();
  for (const type of types) addEventListener(type, () => callback(type), listening);
  return () => listening.abort();
}
