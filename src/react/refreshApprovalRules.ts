import type { QueryClient } from '@tanstack/react-query';
import type { Agent } from '../core/agent.ts';
import { queryKey } from './queryKey.ts';

/** Has the agent's standing decisions read again, where somebody shows them. Settles when that is done; never rejects. */
export function refreshDecisions(agent: Agent, queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKey(agent, 'decisions') });
}
