import type { AgentError } from 'brooklet';
import type { StoreCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { BehaviorSubject } from 'rxjs';
import { encryption } from '../base/encryption.ts';

/** The last warning of the store, for example that another tab blocks the database. */
export const storageWarning$ = new BehaviorSubject<AgentError | undefined>(undefined);

export const databaseName = 'brooklet-studio';

/** Loaded only where conversations are encrypted. */
const importCodec = async (): Promise<StoreCodec> => (await import('./codec.ts')).codec;
const lazyCodec: StoreCodec = {
  load: async () => (await importCodec()).load(),
  loadCodec: async () => (await importCodec()).loadCodec(),
};

/** The conversations of this device. */
export const localStore = createIndexedDBStore({
  name: databaseName,
  onWarning: (warning) => storageWarning$.next(warning),
  ...(encryption !== 'off' && { codec: lazyCodec }),
});
