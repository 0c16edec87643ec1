import { lazy } from '../lazy.ts';
import type * as StepsModule from './steps.ts';

type Steps = typeof StepsModule;

let loaded: Steps | undefined;

/** Loads the code of a run's steps. Rejects with `MODULE_UNAVAILABLE`. A run awaits it before its first step. */
export const loadSteps: () => Promise<Steps> = /* @__PURE__ */ lazy(async () => (loaded = await import('./steps.ts')));

/** Returns the code of a run's steps, or `undefined` while it is loading. */
export function getSteps(): Steps | undefined {
  return loaded;
}

/** Returns the code of a run's steps. Invariant: a run calls this after it has awaited `loadSteps`. */
export function steps(): Steps {
  if (!loaded) throw new Error();
  return loaded;
}
