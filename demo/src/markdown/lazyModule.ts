import { useSyncExternalStore } from 'react';

/** A module that is loaded when it is first needed. */
export interface LazyModule<Module> {
  /** Loads the module. Never rejects: what needs the module has a plain form. */
  readonly load: () => Promise<void>;
  /** Starts the loading, and returns the module when it is there. */
  readonly useModule: (isNeeded?: boolean) => Module | undefined;
}

/** Creates a module that is loaded when it is first needed. A failed loading is repeated the next time it is needed. */
export function lazyModule<Module>(importModule: () => Promise<Module>): LazyModule<Module> {
  const listeners = new Set<() => void>();
  let loaded: Module | undefined;
  let loading: Promise<void> | undefined;

  const load = (): Promise<void> =>
    (loading ??= importModule().then(
      (module) => {
        loaded = module;
        for (const listener of listeners) listener();
      },
      () => void (loading = undefined),
    ));
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    void load();
    return () => listeners.delete(listener);
  };
  const never = (): (() => void) => () => {};

  return {
    load,
    useModule: (isNeeded = true) => useSyncExternalStore(isNeeded ? subscribe : never, () => loaded),
  };
}
