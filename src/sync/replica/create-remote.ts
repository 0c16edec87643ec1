import { fail } from '../../core/error.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { storeShape } from './check-options.ts';
import type { Remote } from './remote.ts';
import { replicate } from './replicate.ts';

/**
 * Makes the remote of a synced store: a store that several devices share, together with the code that replicates it. The store needs
 * `wasRemoved`. Its `locks`, if there are any, show which device runs a session.
 *
 * @throws AgentError `INVALID_CONFIG` for a store that lacks a method
 * @example
 * store.connect(createRemote(createNatsStore({ connection, user: 'ann' })), { device: "Ann's phone" });
 */
export function createRemote(store: SessionStore): Remote {
  const flaw = storeShape(store, 'store');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of createRemote ${flaw.reason}.`);
  return { replicate: (host) => replicate(store, host) };
}
