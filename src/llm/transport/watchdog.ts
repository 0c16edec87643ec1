import type { Ports } from '../../core/ports.ts';

/** The longest silence that is allowed, in ms. */
export interface Timeouts {
  /** Silence before the first content. Reasoning models need long. Default 5 min. */
  readonly first: number;
  /** Silence after the first content. Default 60 s. */
  readonly idle: number;
  /** Keep-alives without content. Default 10 min. */
  readonly stall: number;
}

/** See `Timeouts`. */
export const defaultTimeouts: Timeouts = { first: 300_000, idle: 60_000, stall: 600_000 };

export interface Watchdog {
  /** Bytes arrived. */
  readonly alive: () => void;
  /** Content arrived. */
  readonly content: () => void;
  readonly stop: () => void;
}

/**
 * Calls `onTimeout` once when an answer is silent for too long.
 *
 * The watchdog counts ticks of its own timer and reads no clock: a laptop that slept or a clock that was set does not count as silence.
 * A timeout may therefore be reported up to a quarter of the shortest timeout late, never early.
 */
export function createWatchdog(
  timeouts: Timeouts,
  delay: Ports['delay'],
  onTimeout: (which: keyof Timeouts) => void,
): Watchdog {
  const tick = Math.max(1, Math.min(timeouts.first, timeouts.idle, timeouts.stall) / 4);
  /** ms without bytes. */
  let silent = 0;
  /** ms without content. */
  let empty = 0;
  let started = false;
  let cancel = delay(watch, tick);

  function watch(): void {
    silent += tick;
    empty += tick;
    const which = started ? 'idle' : 'first';
    if (silent > timeouts[which]) onTimeout(which);
    else if (empty > timeouts.stall) onTimeout('stall');
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
