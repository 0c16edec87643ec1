import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Observable, share } from 'rxjs';
import type { Agent } from '../../core/agent/agent.ts';

/** Starts to refresh a list when the list changes. Returns the function that stops the refreshing. */
export type StartRefresh = (agent: Agent, queryClient: QueryClient) => () => void;

/**
 * Makes a hook that refreshes a list while a component shows the list. All components with the same agent and the same
 * QueryClient share one start, so that a change causes one read and not one read per component.
 */
export function createUseRefresh(start: StartRefresh): (agent: Agent, queryClient: QueryClient) => void {
  const shared = new WeakMap<QueryClient, WeakMap<Agent, Observable<never>>>();

  function getRefresh(agent: Agent, queryClient: QueryClient): Observable<never> {
    const ofClient = shared.get(queryClient) ?? new WeakMap<Agent, Observable<never>>();
    const refresh = ofClient.get(agent) ?? new Observable<never>(() => start(agent, queryClient)).pipe(share());
    shared.set(queryClient, ofClient.set(agent, refresh));
    return refresh;
  }

  return function useRefresh(agent, queryClient) {
    useEffect(() => {
      const subscription = getRefresh(agent, queryClient).subscribe();
      return () => subscription.unsubscribe();
    }, [agent, queryClient]);
  };
}
