import type { SyncedStore } from 'brooklet/sync';
import type { CreateOptions } from '../support.ts';

/** `createSyncedStore` of the version before rows had `origin`. It always has a remote store. */
export declare function createSyncedStore(options: CreateOptions): Omit<SyncedStore, 'connect' | 'disconnect'>;
