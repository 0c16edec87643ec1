import type { QueryClient } from '@tanstack/react-query';
import type { Agent } from '../../core/agent/agent.ts';
import { approvalRuleChanges } from '../approvalRuleChanges.ts';
import { queryKey } from './queryKey.ts';

/**
 * Reads the agent's approval rules again after a decision of `useChat` has changed them. Returns the function that stops
 * the refreshing.
 */
export function refreshApprovalRules(agent: Agent, queryClient: QueryClient): () => void {
  const subscription = approvalRuleChanges(agent).subscribe(
    () => void queryClient.invalidateQueries({ queryKey: queryKey(agent, 'approval-rules') }),
  );
  return () => subscription.unsubscribe();
}
