/**
 * Whether the page runs. A browser puts a page aside (page cache) or ends it after `pagehide`; a page that was put aside runs again after
 * `pageshow`. WebKit keeps the open transactions of a page that is aside, and they block the next page of the same origin.
 */
export interface PageLife {
  /** Whether `pagehide` has come and the page has not run since. */
  isAside(): boolean;
  /** Resolves when the page runs again. Of a page that ends, the promise never settles. */
  runs(): Promise<void>;
  /** Calls `leave` within the next `pagehide`. Returns a function that unsubscribes. */
  onLeave(leave: () => void): () => void;
  /** Calls `back` each time the page runs again. Returns a function that unsubscribes. */
  onReturn(back: () => void): () => void;
  /** Stops listening. */
  close(): void;
}

/**
 * ms after `pagehide` after which a timer proves that the page runs: neither a page that ends nor one that is aside runs timers. Some
 * web views announce a `pagehide` and no `pageshow`.
 */
const proofOfLife = 500;

/**
 * ms after the return of the page after which an answer of the database has been missed: Firefox does not report what ended while a page lay
 * in the page cache.
 */
const missedAfter = 1_000;

/** Calls `missed` when the page has come back and an answer that was awaited before has not come. Returns a function that ends the wait. */
export function whenMissed(page: Pick<PageLife, 'onReturn'>, missed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = page.onReturn(() => {
    timer ??= setTimeout(missed, missedAfter);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Never resolves. Rejects with an AbortError when the page has missed that a database was opened. */
export function missedOpening(page: Pick<PageLife, 'onReturn'>, opening: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const missed = new DOMException('The page has missed that the database was opened.', 'AbortError');
    const stop = whenMissed(page, () => reject(missed));
    opening.then(stop, stop);
  });
}

export function createPageLife(): PageLife {
  const leaving = new Set<() => void>();
  const returning = new Set<() => void>();
  const listening = new AbortController();
  let waiting: { readonly shown: Promise<void>; readonly show: () => void } | undefined;

  function show(): void {
    if (waiting === undefined) return;
    waiting.show();
    waiting = undefined;
    for (const back of returning) back();
  }

  /** A page that was frozen before it was put aside has received no `pagehide`, and has nevertheless missed ends of transactions. */
  function comeBack(): void {
    if (waiting) return show();
    for (const back of returning) back();
  }

  function hide(): void {
    if (waiting === undefined) {
      let resolveShown = (): void => {};
      const shown = new Promise<void>((resolve) => (resolveShown = resolve));
      waiting = { shown, show: resolveShown };
      setTimeout(show, proofOfLife);
    }
    for (const leave of leaving) leave();
  }

  // A worker and Node have no `pagehide`. First of all listeners, so that what others begin in `pagehide` knows that the page is left.
  const options = { signal: listening.signal, capture: true };
  globalThis.addEventListener?.('pagehide', hide, options);
  globalThis.addEventListener?.('pageshow', ({ persisted }) => (persisted ? comeBack() : show()), options);

  return {
    isAside: () => waiting !== undefined,
    runs: async () => waiting?.shown,
    onLeave(leave) {
      leaving.add(leave);
      return () => leaving.delete(leave);
    },
    onReturn(back) {
      returning.add(back);
      return () => returning.delete(back);
    },
    close() {
      listening.abort();
      show();
    },
  };
}
