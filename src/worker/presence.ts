/** Who lives, across pages and workers of one origin: a lock is held for as long as its holder lives, and longer than no message is needed. */
export interface Presence {
  /** Holds a name until `signal` aborts, or this page or worker is gone. Resolves when it is held. */
  hold(name: string, signal: AbortSignal): Promise<void>;
  /** Resolves when the holder of the name is gone; never settles after `signal` has aborted. */
  whenGone(name: string, signal: AbortSignal): Promise<void>;
}

/** Presence by Web Locks; `undefined` where there are none: nothing says then whether the other side lives. */
export function createPresence(): Presence | undefined {
  const manager = globalThis.navigator?.locks;
  if (!manager) return undefined;
  const nameOf = (name: string): string => `brooklet:lives:${name}`;
  return {
    hold: (name, signal) =>
      new Promise((resolve, reject) => {
        const request = manager.request(nameOf(name), () => {
          resolve();
          return new Promise<void>((release) => signal.addEventListener('abort', () => release()));
        });
        request.catch(reject);
      }),
    whenGone: (name, signal) =>
      new Promise((resolve) => {
        manager.request(nameOf(name), { signal }, () => resolve()).catch(() => {});
      }),
  };
}
