import type { Ports } from './ports.ts';

/** Work that others ask for, as often as they like. */
export interface Throttled {
  /** Does the work at once, or at the end of the pause after it was last done. */
  ask(): void;
  /** Does the work at once. The pause begins anew. */
  askNow(): void;
  /** Forgets what was asked for. */
  stop(): void;
}

/**
 * Returns work that is done no more than once every `ms`. Invariant: work that was asked for is done after the last request, so nothing is missed.
 *
 * @param ms of a pause; a function is called at the beginning of each one
 * @param work must not throw
 * @param isHousekeeping whether the end of a pause alone keeps no process (Node) alive
 */
export function atMostEvery(
  ms: number | (() => number),
  work: () => void,
  { delay }: Pick<Ports, 'delay'>,
  isHousekeeping = false,
): Throttled {
  let isPaused = false;
  let isDue = false;
  let cancel = (): void => {};

  function askNow(): void {
    cancel();
    isPaused = true;
    isDue = false;
    const end = (): void => {
      isPaused = false;
      if (isDue) askNow();
    };
    cancel = delay(end, typeof ms === 'number' ? ms : ms(), isHousekeeping);
    work();
  }

  return {
    ask() {
      isDue = true;
      if (!isPaused) askNow();
    },
    askNow,
    stop() {
      cancel();
      isPaused = true;
    },
  };
}
