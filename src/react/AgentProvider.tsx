import type { ReactElement, ReactNode } from 'react';
import type { Agent } from '../core/agent/agent.ts';
import { AgentContext } from './AgentContext.ts';

/** Props of `AgentProvider`. */
export interface AgentProviderProps {
  /** Create the agent once, outside of components: another agent does not share sessions in memory with this one. */
  readonly agent: Agent;
  readonly children?: ReactNode;
}

/**
 * Provides an agent to the hooks in its subtree. Unmounting the provider cancels nothing: runs belong to the agent.
 *
 *     const agent = createAgent({ client });
 *     createRoot(document.body).render(
 *       <AgentProvider agent={agent}>
 *         <Chat />
 *       </AgentProvider>,
 *     );
 */
export function AgentProvider({ agent, children }: AgentProviderProps): ReactElement {
  return <AgentContext.Provider value={agent}>{children}</AgentContext.Provider>;
}
