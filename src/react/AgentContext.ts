import type { QueryClient } from '@tanstack/react-query';
import { type Context, createContext, useContext } from 'react';
import type { Agent } from '../core/agent.ts';
import { AgentError } from '../core/error.ts';

/** What an `AgentProvider` hands to the hooks below it. */
export interface AgentContextValue {
  readonly agent: Agent;
  readonly queryClient: QueryClient;
}

export const AgentContext: Context<AgentContextValue | undefined> = createContext<AgentContextValue | undefined>(
  undefined,
);

/** @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider` */
export function useAgentContext(): AgentContextValue {
  const value = useContext(AgentContext);
  if (value === undefined) {
    throw new AgentError('There is no agent here: put <AgentProvider agent={…}> around this component.', {
      code: 'INVALID_CONFIG',
    });
  }
  return value;
}
