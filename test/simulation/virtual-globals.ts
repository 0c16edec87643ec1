import { AsyncLocalStorage } from 'node:async_hooks';
import type { Device, WindowEvent } from './device.ts';
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
  /** The window of the tab whose code runs; outside of tabs, nothing listens. */
  readonly addEventListener: Listen;
  readonly removeEventListener: (type: string, listener: Listener) => void;
  /** `undefined` outside of tabs. */
  readonly document: VirtualDocument | undefined;
  /** Calls code of a tab. Its timers, channels and listeners belong to the tab, and what follows from its promises as well. */
  enter<T>(device: Device, task: () => T): T;
  /** The tab whose code runs. */
  tab(): Device | undefined;
  /** Ends what `enter` keeps. */
  end(): void;
}

type Listener = (event: Event) => void;
type Listen = (type: string, listener: Listener, options?: AddEventListenerOptions) => void;

interface VirtualDocument {
  readonly visibilityState: 'visible' | 'hidden';
  readonly addEventListener: Listen;
}

/** ms since the epoch at the start of a simulation. */
export const epoch = 1_700_000_000_000;

/** Installs globals that follow the virtual time. @param jitter returns the ms until the next step of the database */
export function installVirtualGlobals(time: VirtualTime, jitter: () => number): VirtualGlobals {
  const tabs = new AsyncLocalStorage<Device>();
  const running = new Map<number, () => void>();
  let handles = 0;
  let lastStep = 0;

  function start(task: () => void, ms: number, repeats: boolean): number {
    const handle = ++handles;
    const after = tabs.getStore()?.schedule ?? time.after;
    const schedule = (): void => {
      running.set(
        handle,
        after(ms, () => {
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
    /** A message to a tab waits while the tab is frozen or put aside. */
    readonly #after = tabs.getStore()?.schedule ?? time.after;

    constructor(name: string) {
      super();
      this.name = name;
      channels.add(this);
    }

    postMessage(data: unknown): void {
      for (const other of channels)
        if (other !== this && other.name === this.name) other.#after(0, () => other.receive(data));
    }

    receive(data: unknown): void {
      if (channels.has(this)) this.dispatchEvent(new MessageEvent('message', { data }));
    }

    close(): void {
      channels.delete(this);
    }
  }

  /** By tab and listener of its page. */
  const stops = new WeakMap<Device, Map<Listener, () => void>>();

  function stop(device: Device | undefined, listener: Listener): void {
    const its = device && stops.get(device);
    its?.get(listener)?.();
    its?.delete(listener);
  }

  const listen: Listen = (type, listener, { once = false, signal } = {}) => {
    const device = tabs.getStore();
    if (device === undefined || signal?.aborted) return;
    const its = stops.get(device) ?? new Map<Listener, () => void>();
    stops.set(device, its);
    const cancel = device.listen(windowEvent(type), (event) => {
      if (once) cancel();
      listener(event);
    });
    const earlier = its.get(listener);
    its.set(listener, () => {
      earlier?.();
      cancel();
    });
    signal?.addEventListener('abort', cancel);
  };

  const virtualGlobals: VirtualGlobals = {
    addEventListener: listen,
    removeEventListener: (_type, listener) => stop(tabs.getStore(), listener),
    get document(): VirtualDocument | undefined {
      const device = tabs.getStore();
      return device && { visibilityState: device.isVisible() ? 'visible' : 'hidden', addEventListener: listen };
    },
    enter: (device, task) => tabs.run(device, task),
    tab: () => tabs.getStore(),
    end: () => tabs.disable(),
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

const windowEvents: readonly WindowEvent[] = [
  'beforeunload',
  'pagehide',
  'visibilitychange',
  'unload',
  'pageshow',
  'focus',
];

/** Returns the type of an event of a window. @throws Error for an event that no virtual window has */
export function windowEvent(type: string): WindowEvent {
  const event = windowEvents.find((one) => one === type);
  if (event === undefined) throw new Error(`A virtual window has no event "${type}".`);
  return event;
}
