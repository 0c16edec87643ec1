import { useObservable } from 'brooklet/react';
import { getStates, type ServerState, states$ } from './states.ts';
import { servers, type StoredServer } from './servers.ts';

/** A server of the user, and the connection of this tab to it. */
export interface ServerView {
  readonly stored: StoredServer;
  readonly state: ServerState;
}

/** Returns the servers of the user with their connections. */
export function useServers(): readonly ServerView[] {
  const list = useObservable(servers.value$, servers.get);
  const states = useObservable(states$, getStates);
  return list.map((stored) => ({ stored, state: states.get(stored.name) ?? { is: 'off' } }));
}
