import type { VirtualTime } from './virtual-time.ts';

/** The globals that the bundled code uses in place of those of Node (`scripts/simulation/bundle.mjs` replaces the names). */
export interface VirtualGlobals {
  readonly setTimeout: (task: () => void, ms?: number) => number;
  readonly setInterval: (task: () => void, ms: number) => number;
  readonly setImmediate: (task: () => void) => void;
  readonly clear: (handle: number | undefined) => void;
  readonly now: () => number;
  readonly BroadcastChannel: new (name: string) => EventTarget;
  navigator: { readonly locks?: unknown };
}

/** ms since the epoch at the start of a simulation. */
export const epoch = 1_700_000_000_000;

/** Installs globals that follow the virtual time. @param jitter returns the ms until the next step of the database */
export function installVirtualGlobals(time: VirtualTime, jitter: () => number): VirtualGlobals {
  const running = new Map<number, () => void>();
  let handles = 0;
  let lastStep = 0;

  function start(task: () => void, ms: number, repeats: boolean): number {
    const handle = ++handles;
    const schedule = (): void => {
      running.set(
        handle,
        time.after(ms, () => {
          running.delete(handle);
          if (repeats) schedule();
          task();
        }),
      );
    };
    schedule();
    return handle;
  }

  const channels = new Set<VirtualChannel>();

  /** Each message arrives as a task of its own, in the order of the messages. The channels of Node deliver in real time. */
  class VirtualChannel extends EventTarget {
    readonly name: string;

    constructor(name: string) {
      super();
      this.name = name;
      channels.add(this);
    }

    postMessage(data: unknown): void {
      for (const other of channels)
        if (other !== this && other.name === this.name) time.after(0, () => other.receive(data));
    }

    receive(data: unknown): void {
      if (channels.has(this)) this.dispatchEvent(new MessageEvent('message', { data }));
    }

    close(): void {
      channels.delete(this);
    }
  }

  const virtualGlobals: VirtualGlobals = {
    BroadcastChannel: VirtualChannel,
    setTimeout: (task, ms = 0) => start(task, ms, false),
    setInterval: (task, ms) => start(task, ms, true),
    // Steps of the database are in order.
    setImmediate(task) {
      lastStep = Math.max(lastStep, time.now() + jitter());
      time.after(lastStep - time.now(), task);
    },
    clear(handle) {
      if (handle === undefined) return;
      running.get(handle)?.();
      running.delete(handle);
    },
    now: () => epoch + time.now(),
    navigator: {},
  };
  Object.assign(globalThis, { virtualGlobals });
  return virtualGlobals;
}
