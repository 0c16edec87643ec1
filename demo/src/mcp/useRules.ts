import type { Agent } from 'brooklet';
import { useCallback, useEffect, useState } from 'react';
import { reportRefusal } from '../toast/reportRefusal.ts';
import type { ToolDecision } from './servers.ts';

/** The approval rules that the user has made on the cards of calls ("always"). */
export interface Rules {
  /** What a rule decides about a tool, by the name that the model calls. */
  readonly decisionOf: (toolName: string) => ToolDecision | undefined;
  readonly revoke: (toolName: string) => void;
}

/** Returns the approval rules for all conversations, as they are when the component is mounted. */
export function useRules(agent: Agent): Rules {
  const [decisions, setDecisions] = useState<ReadonlyMap<string, ToolDecision>>(new Map());

  useEffect(() => {
    let isMounted = true;
    agent.listApprovalRules().then((rules) => {
      const found = rules.map(({ name, verdict }) => [name, verdict === 'approved' ? 'allow' : 'forbid'] as const);
      if (isMounted) setDecisions(new Map(found));
    }, reportRefusal);
    return () => {
      isMounted = false;
    };
  }, [agent]);

  const revoke = useCallback(
    (toolName: string) => {
      setDecisions((before) => new Map([...before].filter(([name]) => name !== toolName)));
      agent.revokeApprovalRule(toolName).catch(reportRefusal);
    },
    [agent],
  );
  return { decisionOf: (toolName) => decisions.get(toolName), revoke };
}
