import type { Ports } from '../../core/ports.ts';
import type { Recording } from './recording.ts';

/** Ports in the time of a log: nothing happens by itself. */
export interface VirtualPorts extends Ports {
  /** Calls the timers that are due at the present time of the replay. */
  readonly fireDue: () => void;
}

export function createVirtualPorts(recording: Pick<Recording, 'now' | 'id'>): VirtualPorts {
  const timers = new Map<() => void, number>();
  const never = (): (() => void) => () => {};
  return {
    now: recording.now,
    id: recording.id,
    frame: never,
    onHide: never,
    onShow: never,
    delay(callback, ms) {
      const timer = (): void => callback();
      timers.set(timer, recording.now() + ms);
      return () => timers.delete(timer);
    },
    fireDue() {
      const now = recording.now();
      const due = [...timers].filter(([, at]) => at <= now).toSorted(([, one], [, other]) => one - other);
      for (const [timer] of due) {
        timers.delete(timer);
        timer();
      }
    },
  };
}
