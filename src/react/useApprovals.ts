import type { ToolTypes } from '../core/model/call.ts';
import type { ToolPart } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

const none: readonly ToolPart[] = [];

/**
 * Returns the calls of a session that wait for an approval or for the answer to an elicitation, in the order in which
 * the model requested them, and those of the sessions below it (`agentTool`): `AgentSession.approvals$`.
 *
 *     const [next] = useApprovals(session);
 */
export function useApprovals<Tools extends ToolTypes = ToolTypes>(
  session: AgentSession<Tools> | undefined,
): readonly ToolPart<Tools>[];
export function useApprovals(session: AgentSession | undefined): readonly ToolPart[] {
  return useObservable(session?.approvals$, () => session?.getApprovals() ?? none);
}
