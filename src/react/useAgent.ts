import { useContext } from 'react';
import type { Agent } from '../core/agent/agent.ts';
import { fail } from '../core/error.ts';
import { AgentContext } from './AgentContext.ts';

/**
 * Returns the agent of the nearest `AgentProvider`. The type argument states which agent that is: React contexts carry no types.
 *
 *     const agent = useAgent<typeof chatAgent>();
 *     const fork = () => agent.forkSession(sessionId).then(show);
 *     const client = useObservable(agent.client$, agent.getClient); // undefined: no model is chosen
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The caller states what the context cannot.
export function useAgent<AppAgent extends Agent = Agent>(): AppAgent;
export function useAgent(): Agent {
  return (
    useContext(AgentContext) ??
    fail('INVALID_CONFIG', 'There is no agent: put <AgentProvider agent={…}> around this component.')
  );
}
