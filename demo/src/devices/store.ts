import { createSyncedStore } from 'brooklet/sync';
import { distinctUntilChanged, map } from 'rxjs';
import { localStore } from '../encryption/localStore.ts';

/** The conversations of this device. `sync.ts` connects the engine, and brings the code that synchronizes. */
export const store = createSyncedStore({ local: localStore });

/** Whether an engine is connected. */
export const isConnected = (): boolean => store.getStatus().state !== 'local';
export const isConnected$ = store.status$.pipe(map(isConnected), distinctUntilChanged());
