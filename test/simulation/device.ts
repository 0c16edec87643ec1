import type { Ports } from 'brooklet/testing';
import type { VirtualTime } from './virtual-time.ts';
import { epoch } from './virtual-globals.ts';

/** One browser tab without its code: its clock, and whether anything reaches it. */
export interface Device {
  readonly name: string;
  readonly ports: Ports;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** Whether the page is being left: what it writes now is its last. */
  isLeaving(): boolean;
  /** Calls `task` after `ms`, later if the tab is frozen then, never if it is dead. Returns a function that cancels the task. */
  schedule(ms: number, task: () => void): () => void;
  /** Nothing reaches the tab for some ms; then everything does, in order. */
  freeze(ms: number): void;
  thaw(): void;
  /** Changes the clock by some ms. */
  jump(ms: number): void;
  hide(): void;
  show(): void;
  /** Tells the page that it is left, then ends it. */
  leave(): void;
  /** Ends the tab at once. */
  kill(): void;
  /** Calls `end` when the tab ends. */
  onEnd(end: () => void): void;
}

export function createDevice(name: string, time: VirtualTime): Device {
  const hiders = new Set<(leaving: boolean) => void>();
  const showers = new Set<() => void>();
  const ends: (() => void)[] = [];
  let backlog: (() => void)[] = [];
  let skew = 0;
  let ids = 0;
  let isAlive = true;
  let isFrozen = false;
  let isLeaving = false;

  function schedule(ms: number, task: () => void): () => void {
    let isCancelled = false;
    const arrive = (): void => {
      if (isCancelled || !isAlive) return;
      if (isFrozen) backlog.push(arrive);
      else task();
    };
    const cancel = time.after(ms, arrive);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  function thaw(): void {
    if (!isFrozen) return;
    isFrozen = false;
    const waiting = backlog;
    backlog = [];
    for (const arrive of waiting) time.after(0, arrive);
    device.show();
  }

  const device: Device = {
    name,
    ports: {
      now: () => epoch + time.now() + skew,
      id: () => `${name}-${++ids}`,
      frame: (callback, drawn) =>
        schedule(16, () => {
          callback();
          drawn?.(1);
        }),
      delay: (callback, ms) => schedule(ms, callback),
      onHide(callback) {
        hiders.add(callback);
        return () => hiders.delete(callback);
      },
      onShow(callback) {
        showers.add(callback);
        return () => showers.delete(callback);
      },
    },
    isAlive: () => isAlive,
    isFrozen: () => isFrozen,
    isLeaving: () => isLeaving,
    schedule,
    freeze(ms) {
      isFrozen = true;
      time.after(ms, thaw);
    },
    thaw,
    jump: (ms) => void (skew += ms),
    hide() {
      for (const callback of hiders) callback(false);
    },
    show() {
      for (const callback of showers) callback();
    },
    leave() {
      isLeaving = true;
      if (!isFrozen) for (const callback of hiders) callback(true);
      device.kill();
    },
    kill() {
      if (!isAlive) return;
      isAlive = false;
      for (const end of ends) end();
    },
    onEnd: (end) => void ends.push(end),
  };
  return device;
}
