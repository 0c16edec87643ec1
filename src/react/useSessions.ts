import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { SessionHead, SessionPage } from '../core/log/store.ts';
import { useAgentContext } from './AgentContext.ts';
import { queryKey } from './queryKey.ts';

export interface UseSessionsOptions {
  /** Rows a page. Default 50. */
  readonly limit?: number;
}

export interface UseSessionsResult {
  /** Newest change first; rows that did not change keep their identity. */
  readonly sessions: readonly SessionHead[];
  /** Whether the agent has a store. Without one there is nothing to list. */
  readonly hasStore: boolean;
  /** What the store, or the last `rename`, said. */
  readonly error: AgentError | undefined;
  /** Whether the first page is on its way. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** Cancels what runs in the session and removes it from memory and store. */
  readonly remove: (sessionId: string) => void;
  /** Never rejects: see `error`. */
  readonly rename: (sessionId: string, title: string) => Promise<void>;
}

const none: readonly SessionHead[] = [];

function toRows(data: InfiniteData<SessionPage, string | undefined>): readonly SessionHead[] {
  return data.pages.flatMap((page) => page.sessions);
}

/** The stored sessions, read page by page, kept up with what this and other tabs do. */
export function useSessions({ limit = 50 }: UseSessionsOptions = {}): UseSessionsResult {
  const { agent, queryClient } = useAgentContext();
  const { store } = agent;
  const [renameError, setRenameError] = useState<AgentError>();

  const list = useInfiniteQuery<SessionPage, AgentError, readonly SessionHead[], QueryKey, string | undefined>(
    {
      queryKey: queryKey(agent, 'sessions', String(limit)),
      queryFn: async ({ pageParam: cursor }) =>
        (await store?.list({ limit, ...(cursor !== undefined && { cursor }) })) ?? { sessions: none },
      initialPageParam: undefined,
      getNextPageParam: (page) => page.cursor,
      select: toRows,
      enabled: store !== undefined,
      networkMode: 'always',
      retry: false,
    },
    queryClient,
  );

  const { fetchNextPage } = list;
  const verbs = useMemo(
    () => ({
      loadMore: () => {
        const filter = { queryKey: queryKey(agent, 'sessions', String(limit)) };
        const breaksOff = queryClient.isFetching(filter) > 0;
        void fetchNextPage().then(() => (breaksOff ? queryClient.invalidateQueries(filter) : undefined));
      },
      remove: (sessionId: string) => void agent.removeSession(sessionId),
      rename: async (sessionId: string, title: string) => {
        setRenameError(undefined);
        try {
          (await agent.openSession(sessionId)).rename(title);
        } catch (thrown) {
          setRenameError(toAgentError(thrown));
        }
      },
    }),
    [agent, queryClient, limit, fetchNextPage],
  );

  return {
    sessions: list.data ?? none,
    hasStore: store !== undefined,
    error: renameError ?? list.error ?? undefined,
    isLoading: list.isLoading,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    ...verbs,
  };
}
