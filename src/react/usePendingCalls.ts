import type { Agent, PendingCall, ToolsOf } from '../core/agent/agent.ts';
import { useAgent } from './useAgent.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns the calls that wait for an approval or an answer in all sessions, in memory and in the store, in the order of their requests: see
 * `Agent.pending$`. `call` is the whole call of a session in memory; the session of any other call is opened first.
 *
 *     const pending = usePendingCalls<typeof agent>();
 *     return pending.map(({ sessionId, callId, name, title }) => (
 *       <a key={`${sessionId} ${callId}`} href={`#${sessionId}`}>{title}: {name}</a>
 *     ));
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
export function usePendingCalls<AppAgent extends Agent = Agent>(): readonly PendingCall<ToolsOf<AppAgent>>[];
export function usePendingCalls(): readonly PendingCall[] {
  const { pending$, getPending } = useAgent();
  return useObservable(pending$, getPending);
}
