import { useQuery } from '@tanstack/react-query';
import type { AgentError } from '../core/error.ts';
import type { SessionStatus } from '../core/model/status.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useAgentContext } from './AgentContext.ts';
import { queryKey } from './queryKey.ts';
import { useObservable } from './useObservable.ts';

export interface UseSessionResult {
  /** At once where it is in memory; else as soon as the store has given it. */
  readonly session: AgentSession | undefined;
  readonly status: SessionStatus | undefined;
  /** `SESSION_NOT_FOUND` where there is no such session (any more), or what the store said. */
  readonly error: AgentError | undefined;
  readonly isLoading: boolean;
}

/**
 * One session by its id, opened if need be. Nothing is closed or cancelled when the component goes: a session lives on.
 * Without an id there is no session, and nothing loads.
 */
export function useSession(sessionId: string | undefined): UseSessionResult {
  const { agent, queryClient } = useAgentContext();
  const find = (): AgentSession | undefined => (sessionId === undefined ? undefined : agent.getSession(sessionId));
  // The streams of a session complete when it leaves the memory: then this is asked again.
  const session = useObservable(find()?.status$, find);
  const status = useObservable(session?.status$, () => session?.getStatus());

  const open = useQuery<null, AgentError>(
    {
      queryKey: queryKey(agent, 'session', sessionId ?? ''),
      // The agent holds the session: a second place for it could only be wrong.
      queryFn: () => agent.openSession(sessionId ?? '').then(() => null),
      enabled: sessionId !== undefined && session === undefined,
      staleTime: 0,
      networkMode: 'always',
      retry: false,
    },
    queryClient,
  );

  return {
    session,
    status,
    error: session === undefined ? (open.error ?? undefined) : undefined,
    isLoading: session === undefined && open.isFetching,
  };
}
