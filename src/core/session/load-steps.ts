import { type Loadable, loadable } from '../lazy.ts';
import type * as StepsModule from './steps.ts';

type Steps = typeof StepsModule;

/** The code of a run's steps: loaded as the agent is created, awaited by a run before its first step. */
export const runSteps: Loadable<Steps> = /* @__PURE__ */ loadable(() => import('./steps.ts'));

/** Returns the code of a run's steps. Invariant: the run has awaited it. */
export function steps(): Steps {
  const loaded = runSteps.get();
  if (!loaded) throw new Error();
  return loaded;
}
