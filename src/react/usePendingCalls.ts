import type { Agent, PendingCall, ToolsOf } from '../core/agent/agent.ts';
import { useAgent } from './useAgent.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns the calls that wait for an approval or an answer in all sessions in memory, each with the id of its session.
 *
 *     const pending = usePendingCalls<typeof agent>();
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
export function usePendingCalls<AppAgent extends Agent = Agent>(): readonly PendingCall<ToolsOf<AppAgent>>[];
export function usePendingCalls(): readonly PendingCall[] {
  const { pending$, getPending } = useAgent();
  return useObservable(pending$, getPending);
}
