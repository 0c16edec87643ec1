import type { Ports } from './ports.ts';

/** Work that others ask for, as often as they like. */
export interface Throttled {
  /** Does the work at once, or at the end of the pause after it was last done. */
  ask(): void;
  /** Forgets what was asked for. */
  stop(): void;
}

/**
 * Returns work that is done no more than once every `ms`. Invariant: work that was asked for is done after the last request, so nothing is missed.
 *
 * @param work must not throw
 */
export function atMostEvery(ms: number, work: () => void, { delay }: Pick<Ports, 'delay'>): Throttled {
  let isPaused = false;
  let isDue = false;
  let cancel = (): void => {};

  function ask(): void {
    isDue = true;
    if (isPaused) return;
    isPaused = true;
    isDue = false;
    cancel = delay(() => {
      isPaused = false;
      if (isDue) ask();
    }, ms);
    work();
  }

  return {
    ask,
    stop() {
      cancel();
      isPaused = true;
    },
  };
}
