// The seam of the rarely used part: search, removal, attachments, meta entries, damaged sessions, memory; and idb.
import { lazy } from '../../core/lazy.ts';
import type * as deferred from './deferred.ts';

export type LoadDeferred = () => Promise<typeof deferred>;

/** Rejects with AgentError `MODULE_UNAVAILABLE`; the next call tries again. */
export const loadDeferred: LoadDeferred = lazy(() => import('./deferred.ts'));
