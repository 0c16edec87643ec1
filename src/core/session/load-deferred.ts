import { lazy } from '../lazy.ts';
import type * as Deferred from '../model/deferred.ts';

/** Loads what few sessions need: old versions, damage, forks. Rejects with `MODULE_UNAVAILABLE`. */
export const loadDeferred: () => Promise<typeof Deferred> = /* @__PURE__ */ lazy(() => import('../model/deferred.ts'));
