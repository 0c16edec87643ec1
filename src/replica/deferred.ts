// A seam of loading: what compares and sends sessions. A page shows and stores them without it.
export { changedRows } from './changed-rows.ts';
export { isClaim, storeClaim } from './store-claim.ts';
export { syncSession } from './sync-session.ts';
