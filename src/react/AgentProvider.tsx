import { QueryClient, QueryClientContext } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { Agent } from '../core/agent.ts';
import { AgentContext } from './AgentContext.ts';
import { refreshSessions } from './refreshSessions.ts';

export interface AgentProviderProps {
  /** Made once, outside of components: a new agent knows nothing of the sessions of the one before. */
  readonly agent: Agent;
  /** Default: that of the `QueryClientProvider` above, else one of its own. */
  readonly queryClient?: QueryClient;
  readonly children?: ReactNode;
}

/** Gives the hooks below it their agent. Unmounting it cancels nothing: runs belong to the agent. */
export function AgentProvider({ agent, queryClient, children }: AgentProviderProps): ReactElement {
  const outer = useContext(QueryClientContext);
  const [own] = useState(() => new QueryClient());
  const client = queryClient ?? outer ?? own;
  useEffect(() => refreshSessions(agent, client), [agent, client]);
  const value = useMemo(() => ({ agent, queryClient: client }), [agent, client]);
  return <AgentContext.Provider value={value}>{children}</AgentContext.Provider>;
}
