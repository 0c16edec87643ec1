// A seam of loading: what compares, describes and sends sessions. A page shows and stores them without it.
export { compareLists } from './compare-lists.ts';
export { readNews, runnerElsewhere, toSessionSync } from './session-sync.ts';
export { isClaim, storeClaim } from './store-claim.ts';
export { syncSession } from './sync-session.ts';
