import type { QueryClient } from '@tanstack/react-query';
import type { Agent } from '../core/agent.ts';
import { queryKey } from './queryKey.ts';

/** ms between two refreshes: a streaming reply changes its row ten times a second, nobody reads a list that fast. */
const pause = 300;

/**
 * Has the list of sessions read again after the store changed, here or in another tab: at once after the first change,
 * then once for all that follow within the pause. Gives a function that ends it.
 */
export function refreshSessions(agent: Agent, queryClient: QueryClient): () => void {
  const filter = { queryKey: queryKey(agent, 'sessions') };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let missed = false;

  const refresh = (): void => {
    // Not while something is being read: invalidating would break off the page that was asked for.
    missed = queryClient.isFetching(filter) > 0;
    if (!missed) void queryClient.invalidateQueries(filter);
    timer = setTimeout(() => {
      timer = undefined;
      if (missed) refresh();
    }, pause);
  };

  const subscription = agent.store?.changes$.subscribe(() => {
    if (timer === undefined) refresh();
    else missed = true;
  });
  return () => {
    subscription?.unsubscribe();
    clearTimeout(timer);
  };
}
