import type { SyncedStore, SyncedStoreOptions } from 'brooklet/sync';

/** `createSyncedStore` of the version before rows had `origin`. It always has a remote store. */
export declare function createSyncedStore(options: SyncedStoreOptions): Omit<SyncedStore, 'connect' | 'disconnect'>;
