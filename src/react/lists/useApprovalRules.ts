import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Agent } from '../../core/agent/agent.ts';
import { type AgentError, toAgentError } from '../../core/error.ts';
import type { ToolPart } from '../../core/model/message.ts';
import type { ApprovalRule } from '../../core/model/state.ts';
import type { AgentSession } from '../../core/session/session.ts';
import { useAgent } from '../useAgent.ts';
import { useObservable } from '../useObservable.ts';
import { createUseRefresh } from './createUseRefresh.ts';
import { queryKey } from './queryKey.ts';
import { useListClient } from './useListClient.ts';
import { approvalRuleChanges } from '../approvalRuleChanges.ts';

/** An approval rule, and whether the rule applies to one session or to all sessions of the agent. */
export interface RememberedRule extends ApprovalRule {
  readonly scope: 'session' | 'agent';
}

/** Result of `useApprovalRules`. */
export interface UseApprovalRulesResult {
  /** The rules of the session, then the rules of the agent. */
  readonly rules: readonly RememberedRule[];
  /** Why the last `revoke` failed, else why the agent's rules could not be read. */
  readonly error: AgentError | undefined;
  /** Whether the agent's rules are being loaded. */
  readonly isLoading: boolean;
  /** Returns the rule that decided on this call, to be passed to `revoke`; `undefined` if there is no such rule any more. */
  readonly ruleFor: (call: ToolPart) => RememberedRule | undefined;
  /** Removes a rule: the next call of the tool asks the user again. Resolves to whether this succeeded; never rejects. */
  readonly revoke: (rule: Pick<RememberedRule, 'scope' | 'name'>) => Promise<boolean>;
}

const none: readonly ApprovalRule[] = [];
const useRefresh = createUseRefresh(refreshApprovalRules);

/**
 * Returns the approval rules that users have created with `remember`: for the given session (`'session'`), and for all
 * sessions of the agent (`'agent'`). The agent's rules are read on mount, when the window gets the focus, and after a
 * decision or a `revoke` of these hooks.
 *
 *     const { rules, revoke } = useApprovalRules(session);
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider` or of a `QueryClientProvider`
 */
export function useApprovalRules(session?: AgentSession): UseApprovalRulesResult {
  const agent = useAgent();
  const queryClient = useListClient('useApprovalRules');
  const [revokeError, setRevokeError] = useState<AgentError>();
  const sessionRules = useObservable(session?.state$, () => session?.getState().approvalRules ?? none);
  const query = useQuery<readonly ApprovalRule[], AgentError>(
    {
      queryKey: queryKey(agent, 'approval-rules'),
      queryFn: () => agent.listApprovalRules(),
      // The store is local: no network is needed.
      networkMode: 'always',
      staleTime: 0,
      retry: false,
    },
    queryClient,
  );

  useRefresh(agent, queryClient);

  const { data: agentRules = none } = query;
  const rules = useMemo(
    () => [
      ...sessionRules.map((rule) => ({ ...rule, scope: 'session' as const })),
      ...agentRules.map((rule) => ({ ...rule, scope: 'agent' as const })),
    ],
    [sessionRules, agentRules],
  );
  const ruleFor = useMemo(
    () => (call: ToolPart) => {
      if (call.approval?.decidedBy !== 'rule') return undefined;
      const { verdict, toolVersion } = call.approval;
      return rules.find(
        (rule) => rule.name === call.name && rule.verdict === verdict && rule.toolVersion === toolVersion,
      );
    },
    [rules],
  );
  const revoke = useMemo(
    () => async (rule: Pick<RememberedRule, 'scope' | 'name'>) => {
      setRevokeError(undefined);
      try {
        await revokeRule(rule, agent, session);
        await queryClient.invalidateQueries({ queryKey: queryKey(agent, 'approval-rules') });
        return true;
      } catch (thrown) {
        setRevokeError(toAgentError(thrown));
        return false;
      }
    },
    [agent, queryClient, session],
  );

  return {
    rules,
    error: revokeError ?? query.error ?? undefined,
    isLoading: query.isLoading,
    ruleFor,
    revoke,
  };
}

async function revokeRule(
  { scope, name }: Pick<RememberedRule, 'scope' | 'name'>,
  agent: Agent,
  session: AgentSession | undefined,
): Promise<void> {
  if (scope === 'session') session?.revokeApprovalRule(name);
  else await agent.revokeApprovalRule(name);
}

/**
 * Reads the agent's approval rules again after a decision of `useChat` has changed them. Returns the function that stops
 * the refreshing.
 */
function refreshApprovalRules(agent: Agent, queryClient: QueryClient): () => void {
  const subscription = approvalRuleChanges(agent).subscribe(
    () => void queryClient.invalidateQueries({ queryKey: queryKey(agent, 'approval-rules') }),
  );
  return () => subscription.unsubscribe();
}
