import type { Agent } from '../core/agent.ts';
import { useAgentContext } from './AgentContext.ts';

/**
 * The agent of the `AgentProvider` above.
 *
 * @throws AgentError `INVALID_CONFIG` where there is none
 */
export function useAgent(): Agent {
  return useAgentContext().agent;
}
