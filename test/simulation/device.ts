import type { Ports } from 'brooklet/testing';
import type { EnginePage } from '../support/engine-profiles/index.ts';
import { epoch } from './virtual-globals.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Events of a window that tell a page that it is hidden, left or shown. */
export type WindowEvent = 'beforeunload' | 'visibilitychange' | 'pagehide' | 'unload' | 'pageshow' | 'focus';

/** One browser tab without its code: its clock, and whether anything reaches it. */
export interface Device {
  readonly name: string;
  readonly ports: Ports;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** Whether the page is being left: what it writes now is its last. */
  isLeaving(): boolean;
  /** Whether the page is in the page cache. */
  isAside(): boolean;
  isVisible(): boolean;
  /** Calls code of this tab. */
  enter<T>(task: () => T): T;
  /** Listens to an event of the tab's window. Returns a function that stops listening. */
  listen(type: WindowEvent, listener: (event: Event) => void): () => void;
  /** Calls `task` after `ms`, later if the tab is frozen or put aside then, never if it is dead. Returns a function that cancels the task. */
  schedule(ms: number, task: () => void): () => void;
  /** Nothing reaches the tab for some ms; then everything does, in order. */
  freeze(ms: number): void;
  thaw(): void;
  /** Changes the clock by some ms. */
  jump(ms: number): void;
  hide(): void;
  show(): void;
  /** Tells the page that it is left, then ends it: it is reloaded or closed. */
  leave(): void;
  /** The person navigates away. Returns whether the page is kept in the page cache; otherwise it has ended. */
  putAside(): boolean;
  /** The person comes back to a page in the page cache. */
  comeBack(): void;
  /** Ends the tab at once. */
  kill(): void;
  /** Calls `end` when the tab ends. */
  onEnd(end: () => void): void;
}

/** What a tab is in, beside its clock. */
export interface Surroundings {
  /** Its databases. Without it nothing is known of transactions, and each page is kept in the page cache. */
  readonly page?: EnginePage;
  /** Calls code of the tab. */
  readonly enter?: <T>(device: Device, task: () => T) => T;
  /** Whether the engine keeps the page in the page cache, when it is navigated away from. */
  readonly isKept?: (device: Device) => boolean;
}

export function createDevice(
  name: string,
  time: VirtualTime,
  { page, enter = (_device, task) => task(), isKept = () => true }: Surroundings = {},
): Device {
  const listeners = new Map<WindowEvent, Set<(event: Event) => void>>();
  const ends: (() => void)[] = [];
  let backlog: (() => void)[] = [];
  let skew = 0;
  let ids = 0;
  let isAlive = true;
  let isFrozen = false;
  let isLeaving = false;
  let isAside = false;
  let isVisible = true;

  function schedule(ms: number, task: () => void): () => void {
    let isCancelled = false;
    const arrive = (): void => {
      if (isCancelled || !isAlive) return;
      if (isFrozen || isAside) backlog.push(arrive);
      else enter(device, task);
    };
    const cancel = time.after(ms, arrive);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  function release(): void {
    const waiting = backlog;
    backlog = [];
    for (const arrive of waiting) time.after(0, arrive);
  }

  function thaw(): void {
    if (!isFrozen) return;
    isFrozen = false;
    release();
    device.show();
  }

  function listen(type: WindowEvent, listener: (event: Event) => void): () => void {
    const its = listeners.get(type) ?? new Set();
    listeners.set(type, its);
    its.add(listener);
    return () => its.delete(listener);
  }

  function fire(type: WindowEvent, persisted = false): void {
    const event = Object.assign(new Event(type), { persisted });
    for (const listener of listeners.get(type) ?? []) enter(device, () => listener(event));
  }

  /** The events of a page that is left. A frozen page hears none. */
  function fireLeaving({ ends }: { readonly ends: boolean }): void {
    if (!isFrozen) fire('beforeunload');
    isLeaving = true;
    page?.beginLeaving();
    if (isFrozen) return;
    fire('pagehide', !ends);
    isVisible = false;
    fire('visibilitychange');
    if (ends) fire('unload');
  }

  function end(): void {
    if (!isAlive) return;
    isAlive = false;
    for (const task of ends) task();
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
        const stops = [
          listen('pagehide', () => callback(true)),
          listen('visibilitychange', () => {
            if (!isVisible) callback(false);
          }),
        ];
        return () => stops.forEach((stop) => stop());
      },
      onShow(callback) {
        const show = (): void => {
          if (isVisible) callback();
        };
        const stops = (['visibilitychange', 'pageshow', 'focus'] as const).map((type) => listen(type, show));
        return () => stops.forEach((stop) => stop());
      },
    },
    isAlive: () => isAlive,
    isFrozen: () => isFrozen,
    isLeaving: () => isLeaving,
    isAside: () => isAside,
    isVisible: () => isVisible,
    enter: (task) => enter(device, task),
    listen,
    schedule,
    freeze(ms) {
      isFrozen = true;
      time.after(ms, thaw);
    },
    thaw,
    jump: (ms) => void (skew += ms),
    hide() {
      isVisible = false;
      fire('visibilitychange');
    },
    show() {
      // A page that is visible gets the focus.
      const type = isVisible ? 'focus' : 'visibilitychange';
      isVisible = true;
      fire(type);
    },
    leave() {
      if (!isAlive) return;
      // The page cache drops a page without an event.
      if (isAside) return device.kill();
      fireLeaving({ ends: true });
      page?.leave();
      end();
    },
    putAside() {
      fireLeaving({ ends: false });
      // A page that does not answer is not put into the page cache.
      const isCached = !isFrozen && isKept(device) && (page?.putAside() ?? true);
      if (isCached) isAside = true;
      else {
        page?.leave();
        end();
      }
      isLeaving = !isCached;
      return isCached;
    },
    comeBack() {
      if (!isAside || !isAlive) return;
      isAside = false;
      isVisible = true;
      page?.comeBack();
      fire('visibilitychange');
      fire('pageshow', true);
      if (!isFrozen) release();
    },
    kill() {
      if (!isAlive) return;
      page?.kill();
      end();
    },
    onEnd: (task) => void ends.push(task),
  };
  return device;
}
