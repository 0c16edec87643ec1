import type { Ports } from '../../core/ports.ts';

/** How long nothing may come, in ms. */
export interface Timeouts {
  /** Of silence before the first content. Models that think take their time. Default 5 min. */
  readonly first: number;
  /** Of silence after it. Default 60 s. */
  readonly idle: number;
  /** Of keep-alives without content. Default 10 min. */
  readonly stall: number;
}

export interface Watchdog {
  /** Bytes came. */
  readonly alive: () => void;
  /** Content came. */
  readonly content: () => void;
  readonly stop: () => void;
}

/**
 * Barks once when an answer stays away for too long.
 *
 * It counts ticks of its own timer and not the hours of a clock: a laptop that slept or a clock that was set is no silence.
 * So it may bark up to a quarter of the shortest time late, never early.
 */
export function createWatchdog(
  timeouts: Timeouts,
  delay: Ports['delay'],
  bark: (which: keyof Timeouts) => void,
): Watchdog {
  const tick = Math.max(1, Math.min(timeouts.first, timeouts.idle, timeouts.stall) / 4);
  let silent = 0;
  let empty = 0;
  let started = false;
  let cancel = delay(watch, tick);

  function watch(): void {
    silent += tick;
    empty += tick;
    const which = started ? 'idle' : 'first';
    if (silent > timeouts[which]) bark(which);
    else if (empty > timeouts.stall) bark('stall');
    else cancel = delay(watch, tick);
  }

  return {
    alive() {
      silent = 0;
    },
    content() {
      started = true;
      empty = 0;
    },
    stop: () => cancel(),
  };
}
