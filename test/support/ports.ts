import type { Ports } from 'brooklet/testing';

/** Ports that the test controls: nothing happens by itself. */
export interface ManualPorts extends Ports {
  /** Draws the next frame, which takes this many ms. */
  readonly drawFrame: (took?: number) => void;
  /** Advances the time by this many ms. */
  readonly pass: (ms: number) => void;
  /** Hides the page, or leaves the page. */
  readonly hide: (leaving?: boolean) => void;
  /** Shows the page. */
  readonly show: () => void;
  /** The number of scheduled frames and timers. */
  readonly awaited: () => number;
}

/** @param prefix of the ids, different for each tab */
export function createManualPorts(prefix = 'id'): ManualPorts {
  let time = 1_000;
  let ids = 0;
  const frames = new Set<(took: number) => void>();
  const timers = new Map<() => void, number>();
  const hiders = new Set<(leaving: boolean) => void>();
  const showers = new Set<() => void>();

  return {
    now: () => time,
    id: () => `${prefix}-${++ids}`,
    frame(callback, drawn) {
      const once = (took: number): void => {
        callback();
        drawn?.(took);
      };
      frames.add(once);
      return () => frames.delete(once);
    },
    delay(callback, ms) {
      const once = (): void => callback();
      timers.set(once, time + ms);
      return () => timers.delete(once);
    },
    onHide(callback) {
      hiders.add(callback);
      return () => hiders.delete(callback);
    },
    onShow(callback) {
      showers.add(callback);
      return () => showers.delete(callback);
    },
    drawFrame(took = 0) {
      const due = [...frames];
      frames.clear();
      for (const draw of due) draw(took);
    },
    pass(ms) {
      const end = time + ms;
      for (;;) {
        const [next] = [...timers].filter(([, at]) => at <= end).toSorted(([, one], [, other]) => one - other);
        if (next === undefined) break;
        timers.delete(next[0]);
        time = Math.max(time, next[1]);
        next[0]();
      }
      time = end;
    },
    hide: (leaving = false) => {
      for (const callback of hiders) callback(leaving);
    },
    show: () => {
      for (const callback of showers) callback();
    },
    awaited: () => frames.size + timers.size,
  };
}
