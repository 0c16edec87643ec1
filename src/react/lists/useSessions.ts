import { named } from '../../core/model/shapes/named.ts';
import { type InfiniteData, type QueryKey, useInfiniteQuery, type QueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { AgentError } from '../../core/error.ts';
import type { MetadataFilter, SessionPage, SessionSummary } from '../../core/model/store.ts';
import { useAgent } from '../useAgent.ts';
import { createSessionActions, type SessionActions } from './createSessionActions.ts';
import { createUseRefresh } from './createUseRefresh.ts';
import { queryKey } from './queryKey.ts';
import { useListClient } from './useListClient.ts';
import type { Agent } from '../../core/agent/agent.ts';

/** Options of `useSessions`. */
export interface UseSessionsOptions {
  /** Sessions per page. Default 50. */
  readonly limit?: number;
  /** Lists only sessions that contain all of these words in the title or in messages. */
  readonly search?: string;
  /** Lists only sessions whose metadata fits: `{ pinned: true }`, `{ labels: 'work' }` for an item of a list, `{ archived: { not: true } }`. */
  readonly where?: MetadataFilter;
  /** Lists only sessions in which a call waits for a person. Default `false`. */
  readonly waiting?: boolean;
}

/** Result of `useSessions`. */
export interface UseSessionsResult extends SessionActions {
  /** Most recently changed first. A summary that did not change keeps its identity. */
  readonly sessions: readonly SessionSummary[];
  /** Whether the agent has a store. Without a store there is nothing to list. */
  readonly hasStore: boolean;
  /** Why the last action failed, else why the list could not be read. */
  readonly error: AgentError | undefined;
  /** Whether the first page is being loaded. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Loads the next page. */
  readonly loadMore: () => void;
}

const none: readonly SessionSummary[] = [];
const useRefresh = createUseRefresh(refreshSessions);

function toSessions(data: InfiniteData<SessionPage, string | undefined>): readonly SessionSummary[] {
  return data.pages.flatMap((page) => page.sessions);
}

/**
 * Returns the stored sessions, page by page. The list is read again when this tab or another one changes the store: at
 * once, then at most every 300 ms.
 *
 *     const { sessions, hasMore, loadMore } = useSessions({ search });
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider` or of a `QueryClientProvider`
 */
export function useSessions(options: UseSessionsOptions = {}): UseSessionsResult {
  named(options, { limit: true, search: true, where: true, waiting: true }, 'useSessions');
  const { limit = 50, search = '', where, waiting = false } = options;
  const agent = useAgent();
  const queryClient = useListClient('useSessions');
  const { store } = agent;
  const [actionError, setActionError] = useState<AgentError>();

  useRefresh(agent, queryClient);

  // A filter is usually written in place: its text is what stays the same.
  const filterText = where === undefined ? '' : JSON.stringify(where);
  const key = useMemo(
    () => queryKey(agent, 'sessions', String(limit), search, filterText, String(waiting)),
    [agent, limit, search, filterText, waiting],
  );

  const list = useInfiniteQuery<SessionPage, AgentError, readonly SessionSummary[], QueryKey, string | undefined>(
    {
      queryKey: key,
      queryFn: async ({ pageParam: cursor, signal }) =>
        (await store?.list({
          limit,
          search,
          signal,
          ...(where !== undefined && { where }),
          ...(waiting && { waiting }),
          ...(cursor !== undefined && { cursor }),
        })) ?? { sessions: none },
      initialPageParam: undefined,
      getNextPageParam: (page) => page.cursor,
      select: toSessions,
      enabled: store !== undefined,
      // The store is local: no network is needed. Changes while no list was mounted make the cached pages stale.
      networkMode: 'always',
      staleTime: 0,
      retry: false,
    },
    queryClient,
  );

  const { fetchNextPage } = list;
  const actions = useMemo(() => createSessionActions(agent, setActionError), [agent]);
  const loadMore = useCallback(() => {
    // The next page aborts a refresh that is in progress: the refresh is then repeated.
    const abortsRefresh = queryClient.isFetching({ queryKey: key }) > 0;
    void fetchNextPage().then(() => (abortsRefresh ? queryClient.invalidateQueries({ queryKey: key }) : undefined));
  }, [queryClient, key, fetchNextPage]);

  return {
    sessions: list.data ?? none,
    hasStore: store !== undefined,
    error: actionError ?? list.error ?? undefined,
    isLoading: list.isLoading,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore,
    ...actions,
  };
}

/** ms between two refreshes. A streaming reply changes its session ten times a second, faster than a reader can follow. */
const pause = 300;

/**
 * Reads the list of sessions again after the store has changed, in this tab or in another one: at once after the first
 * change, then once for all changes within the pause. Returns the function that stops the refreshing.
 */
function refreshSessions(agent: Agent, queryClient: QueryClient): () => void {
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
