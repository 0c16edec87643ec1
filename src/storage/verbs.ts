import type { SessionStore } from '../core/model/store.ts';

/** The verbs of a store, none of them missing: what one open database does, and what memory does in its place. */
export type StoreVerbs = Required<
  Pick<SessionStore, 'list' | 'read' | 'write' | 'remove' | 'restore' | 'wasRemoved' | 'meta'>
>;
