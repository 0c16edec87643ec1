import { connectAgent } from 'brooklet/worker';
import { combineLatest, filter, merge, take } from 'rxjs';
import { encryption } from '../base/encryption.ts';
import { engine } from '../base/engine.ts';
import { toScriptURL } from '../base/scriptURL.ts';
import { localStore } from '../encryption/localStore.ts';
import { vault } from '../keys/vault.ts';
import { connection$, fallback$, releaseKey } from '../model/connection.ts';
import { createPresentClient } from '../model/presentClient.ts';
import { withNote } from '../sessions/titleChats.ts';
import { holding } from '../trust/holding.ts';
import { tellChosen } from './chosen.ts';
import { createFor, keyName } from './createFor.ts';
import { createToolLoader, present } from './lazyTools.ts';
import type { Parts } from './parts.ts';
// oxlint-disable-next-line import/default -- the address of the worker's file, by Vite
import sealedURL from './sealedWorker.ts?worker&url';
// oxlint-disable-next-line import/default -- the address of the worker's file, by Vite
import plainURL from './worker.ts?worker&url';

/** Creates the agent of a page whose answers a shared worker drives. Where the browser has none, this page drives. */
export function createConnected(): Parts {
  const isSealed = encryption === 'on';
  const url = isSealed ? sealedURL : plainURL;
  const client = withNote(createPresentClient({ locked$: releaseKey.locked$ }));
  const create = createFor({
    store: localStore,
    present,
    clientOf: () => client,
    vault: isSealed ? vault : undefined,
  });
  const agent = connectAgent((options) => new SharedWorker(toScriptURL(url), { ...options, type: 'module' }), {
    create,
    name: 'brooklet-studio',
    build: url,
    keys: { [keyName]: releaseKey },
  });

  /** Resolves with whether the last choice is stored. */
  let told = Promise.resolve(true);

  function tell(): void {
    const { meta } = localStore;
    // Where it cannot be stored, the store cannot hold conversations either, and says so. A locked one can later.
    if (meta)
      told = told
        .then(() => tellChosen(meta))
        .then(
          () => true,
          () => false,
        );
  }

  combineLatest([connection$, fallback$, holding.value$]).subscribe(tell);

  async function clientSet(): Promise<void> {
    if (await told) return;
    tell();
    await told;
  }

  // What a worker cannot have: the next page drives.
  merge(engine.value$.pipe(filter(Boolean)), connection$.pipe(filter(({ kind }) => kind === 'browser')))
    .pipe(take(1))
    .subscribe(() => location.reload());

  return { agent, toolsAdded: createToolLoader(agent, 'page'), clientSet };
}
