import type { Vault } from 'brooklet/keys';
import type { StoreCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { hostAgent } from 'brooklet/worker';
import { databaseName } from '../encryption/localStore.ts';
import { loadCosts } from '../model/costs.ts';
import { createChosenClient } from './chosen.ts';
import { createFor } from './createFor.ts';
import { present } from './presenting.ts';

/** Runs the agent in this worker. @param sealed what encrypts the conversations */
export function host(sealed?: { readonly codec: StoreCodec; readonly vault: Vault }): void {
  const store = createIndexedDBStore({ name: databaseName, ...(sealed && { codec: sealed.codec }) });
  const { meta } = store;
  if (meta === undefined) throw new TypeError('The store has no place for what the page has chosen.');
  void loadCosts().catch(() => {});
  hostAgent(
    createFor({ store, present, clientOf: (release) => createChosenClient(meta, release), vault: sealed?.vault }),
  );
}
