import type { QueryClient } from '@tanstack/react-query';
import type { Agent } from '../../core/agent/agent.ts';
import { queryKey } from './queryKey.ts';

/** ms between two refreshes. A streaming reply changes its session ten times a second, faster than a reader can follow. */
const pause = 300;

/**
 * Reads the list of sessions again after the store has changed, in this tab or in another one: at once after the first
 * change, then once for all changes within the pause. Returns the function that stops the refreshing.
 */
export function refreshSessions(agent: Agent, queryClient: QueryClient): () => void {
  const filter = { queryKey: queryKey(agent, 'sessions') };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let missed = false;

  const refresh = (): void => {
    // Not during a read: an invalidation would abort the page that is being loaded.
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
