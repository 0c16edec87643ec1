import { useContext } from 'react';
import type { Agent } from '../core/agent/agent.ts';
import { AgentError } from '../core/error.ts';
import { AgentContext } from './AgentContext.ts';

/**
 * Returns the agent of the nearest `AgentProvider`.
 *
 *     const agent = useAgent();
 *     const fork = () => agent.forkSession(sessionId).then(show);
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
export function useAgent(): Agent {
  const agent = useContext(AgentContext);
  if (agent === undefined) {
    throw new AgentError('There is no agent here: put <AgentProvider agent={…}> around this component.', {
      code: 'INVALID_CONFIG',
    });
  }
  return agent;
}
