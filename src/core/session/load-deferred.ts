import { lazy } from '../lazy.ts';

/** Loads what few sessions need: old versions, damage, forks. Rejects with `MODULE_UNAVAILABLE`. */
export const loadDeferred: () => Promise<typeof import('../model/deferred.ts')> = /* @__PURE__ */ lazy(
  () => import('../model/deferred.ts'),
);
