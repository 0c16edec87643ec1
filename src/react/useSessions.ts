import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { SessionSummary, SessionPage } from '../core/model/store.ts';
import { useAgentContext } from './AgentContext.ts';
import { queryKey } from './queryKey.ts';

export interface UseSessionsOptions {
  /** Rows a page. Default 50. */
  readonly limit?: number;
  /** Only sessions with all of these words in title or messages. */
  readonly search?: string;
}

export interface UseSessionsResult {
  /** Newest change first; rows that did not change keep their identity. */
  readonly sessions: readonly SessionSummary[];
  /** Whether the agent has a store. Without one there is nothing to list. */
  readonly hasStore: boolean;
  /** What the store said, also to the last verb. */
  readonly error: AgentError | undefined;
  /** Whether the first page is on its way. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** Cancels what runs in the session and removes it from memory and store. */
  readonly remove: (sessionId: string) => void;
  /** Takes a removal back, for as long as the store can. */
  readonly restore: (sessionId: string) => void;
  /** Never rejects: see `error`. */
  readonly rename: (sessionId: string, title: string) => Promise<void>;
}

const none: readonly SessionSummary[] = [];

function toRows(data: InfiniteData<SessionPage, string | undefined>): readonly SessionSummary[] {
  return data.pages.flatMap((page) => page.sessions);
}

/** The stored sessions, read page by page, kept up with what this and other tabs do. */
export function useSessions({ limit = 50, search = '' }: UseSessionsOptions = {}): UseSessionsResult {
  const { agent, queryClient } = useAgentContext();
  const { store } = agent;
  const [refusal, setRefusal] = useState<AgentError>();

  const list = useInfiniteQuery<SessionPage, AgentError, readonly SessionSummary[], QueryKey, string | undefined>(
    {
      queryKey: queryKey(agent, 'sessions', String(limit), search),
      queryFn: async ({ pageParam: cursor, signal }) =>
        (await store?.list({ limit, search, signal, ...(cursor !== undefined && { cursor }) })) ?? { sessions: none },
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
  const verbs = useMemo(() => {
    /** Never rejects. */
    const attempt = (work: () => Promise<unknown>): Promise<void> => {
      setRefusal(undefined);
      return work().then(
        () => {},
        (thrown: unknown) => setRefusal(toAgentError(thrown)),
      );
    };
    return {
      loadMore: () => {
        const filter = { queryKey: queryKey(agent, 'sessions', String(limit), search) };
        const breaksOff = queryClient.isFetching(filter) > 0;
        void fetchNextPage().then(() => (breaksOff ? queryClient.invalidateQueries(filter) : undefined));
      },
      remove: (sessionId: string) => {
        agent.removeSession(sessionId);
        void attempt(() => agent.removed(sessionId));
      },
      restore: (sessionId: string) => void attempt(() => agent.restoreSession(sessionId)),
      rename: (sessionId: string, title: string) =>
        attempt(async () => (await agent.openSession(sessionId)).rename(title)),
    };
  }, [agent, queryClient, limit, search, fetchNextPage]);

  return {
    sessions: list.data ?? none,
    hasStore: store !== undefined,
    error: refusal ?? list.error ?? undefined,
    isLoading: list.isLoading,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    ...verbs,
  };
}
