import { fail } from '../../core/error.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { storeShape } from './check-options.ts';
import type { Remote } from './remote.ts';
import { replicate } from './replicate.ts';

/**
 * Makes the remote of a synced store: a store that several devices share, together with the code that replicates it. The store needs
 * `wasRemoved`. Its `locks`, if there are any, show which device runs a session.
 *
 * One synced store at a time uses a remote, which closes its store when it is disconnected: `connect` refuses a remote that is connected
 * already, and one of the synced store's own `local` (`INVALID_CONFIG`).
 *
 * @throws AgentError `INVALID_CONFIG` for a store that lacks a method or `changes$`
 * @example
 * store.connect(createRemote(createNatsStore({ connection, user: 'ann' })), { device: "Ann's phone" });
 */
export function createRemote(store: SessionStore): Remote {
  const flaw = storeShape(store, 'store');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of createRemote ${flaw.reason}.`);
  let isConnected = false;
  return {
    replicate(host) {
      // A synced store has the `meta` of its local store, and so the local store itself.
      if (store.meta === host.meta)
        fail('INVALID_CONFIG', 'The remote store is the local store of this device: pass a store that devices share.');
      if (isConnected)
        fail('INVALID_CONFIG', 'This remote is connected already: call `disconnect` before, or create another one.');
      const replication = replicate(store, host);
      isConnected = true;
      return {
        ...replication,
        close() {
          isConnected = false;
          replication.close();
        },
      };
    },
  };
}
