// The seam of the rarely used part: search, removal, attachments, meta entries, damaged sessions, memory; and idb.
import { lazy } from '../../core/lazy.ts';

/** Rejects with AgentError `NETWORK_ERROR`; the next call tries again. */
export const loadDeferred: () => Promise<typeof import('./deferred.ts')> = lazy(() => import('./deferred.ts'));
