import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { StandingDecision } from '../core/model/state.ts';
import type { AgentSession } from '../core/session/session.ts';
import type { ToolPart } from '../core/model/message.ts';
import { deciderOf } from '../core/model/decider.ts';
import { useAgentContext } from './AgentContext.ts';
import { refreshDecisions } from './refreshDecisions.ts';
import { queryKey } from './queryKey.ts';
import { useObservable } from './useObservable.ts';

/** A decision that a person has made for all later calls of a tool, and where it counts. */
export interface RememberedDecision extends StandingDecision {
  readonly scope: 'session' | 'agent';
}

export interface UseDecisionsResult {
  /** Those of the session first, then those of the agent. */
  readonly decisions: readonly RememberedDecision[];
  /** What the store, or the last `revoke`, said. */
  readonly error: AgentError | undefined;
  /** Whether those of the agent are on their way. */
  readonly isLoading: boolean;
  /** The decision that has decided on this call in the person's place, if it still stands: what `revoke` takes. */
  readonly decisionOn: (call: ToolPart) => RememberedDecision | undefined;
  /** From the next call on the person is asked again. Resolves to whether it is forgotten; never rejects: see `error`. */
  readonly revoke: (decision: Pick<RememberedDecision, 'scope' | 'name'>) => Promise<boolean>;
}

const none: readonly StandingDecision[] = [];

/**
 * What a person has decided once for all: in this session (`remember: 'session'`), and in all sessions of the agent
 * (`remember: 'agent'`). The agent's are read when the component comes, when the window gets the focus, and after a decision or
 * a `revoke` of these hooks.
 */
export function useDecisions(session?: AgentSession): UseDecisionsResult {
  const { agent, queryClient } = useAgentContext();
  const [error, setError] = useState<AgentError>();
  const own = useObservable(session?.state$, () => session?.getState().standing ?? none);
  const everywhere = useQuery<readonly StandingDecision[], AgentError>(
    {
      queryKey: queryKey(agent, 'decisions'),
      queryFn: () => agent.listDecisions(),
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
      if (deciderOf(call) !== 'standing') return undefined;
      const { verdict, binding } = call.approval ?? {};
      return decisions.find((one) => one.name === call.name && one.verdict === verdict && one.binding === binding);
    },
    [decisions],
  );
  const revoke = useMemo(
    () => async (decision: Pick<RememberedDecision, 'scope' | 'name'>) => {
      setError(undefined);
      try {
        if (decision.scope === 'session') session?.revokeDecision(decision.name);
        else await agent.revokeDecision(decision.name);
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
