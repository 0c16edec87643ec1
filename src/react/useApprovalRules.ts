import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { ApprovalRule } from '../core/model/state.ts';
import type { AgentSession } from '../core/session/session.ts';
import type { ToolPart } from '../core/model/message.ts';
import { useAgentContext } from './AgentContext.ts';
import { refreshDecisions } from './refreshApprovalRules.ts';
import { queryKey } from './queryKey.ts';
import { useObservable } from './useObservable.ts';

/** A decision that a person has made for all later calls of a tool, and where it counts. */
export interface RememberedRule extends ApprovalRule {
  readonly scope: 'session' | 'agent';
}

export interface UseApprovalRulesResult {
  /** Those of the session first, then those of the agent. */
  readonly decisions: readonly RememberedRule[];
  /** What the store, or the last `revoke`, said. */
  readonly error: AgentError | undefined;
  /** Whether those of the agent are on their way. */
  readonly isLoading: boolean;
  /** The decision that has decided on this call in the person's place, if it still stands: what `revoke` takes. */
  readonly decisionOn: (call: ToolPart) => RememberedRule | undefined;
  /** From the next call on the person is asked again. Resolves to whether it is forgotten; never rejects: see `error`. */
  readonly revoke: (decision: Pick<RememberedRule, 'scope' | 'name'>) => Promise<boolean>;
}

const none: readonly ApprovalRule[] = [];

/**
 * What a person has decided once for all: in this session (`remember: 'session'`), and in all sessions of the agent
 * (`remember: 'agent'`). The agent's are read when the component comes, when the window gets the focus, and after a decision or
 * a `revoke` of these hooks.
 */
export function useApprovalRules(session?: AgentSession): UseApprovalRulesResult {
  const { agent, queryClient } = useAgentContext();
  const [error, setError] = useState<AgentError>();
  const own = useObservable(session?.state$, () => session?.getState().approvalRules ?? none);
  const everywhere = useQuery<readonly ApprovalRule[], AgentError>(
    {
      queryKey: queryKey(agent, 'decisions'),
      queryFn: () => agent.listApprovalRules(),
      networkMode: 'always',
      retry: false,
      staleTime: 0,
    },
    queryClient,
  );

  const { data: shared = none } = everywhere;
  const decisions = useMemo(
    () => [
      ...own.map((decision) => ({ ...decision, scope: 'session' as const })),
      ...shared.map((decision) => ({ ...decision, scope: 'agent' as const })),
    ],
    [own, shared],
  );
  const decisionOn = useMemo(
    () => (call: ToolPart) => {
      if (call.approval?.decidedBy !== 'rule') return undefined;
      const { verdict, toolVersion } = call.approval ?? {};
      return decisions.find(
        (one) => one.name === call.name && one.verdict === verdict && one.toolVersion === toolVersion,
      );
    },
    [decisions],
  );
  const revoke = useMemo(
    () => async (decision: Pick<RememberedRule, 'scope' | 'name'>) => {
      setError(undefined);
      try {
        if (decision.scope === 'session') session?.revokeApprovalRule(decision.name);
        else await agent.revokeApprovalRule(decision.name);
        await refreshDecisions(agent, queryClient);
        return true;
      } catch (thrown) {
        setError(toAgentError(thrown));
        return false;
      }
    },
    [agent, queryClient, session],
  );

  return {
    decisions,
    error: error ?? everywhere.error ?? undefined,
    isLoading: everywhere.isLoading,
    decisionOn,
    revoke,
  };
}
