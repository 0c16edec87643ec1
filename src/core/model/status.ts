import { type Message, toolParts, type ToolPart } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionState } from './state.ts';

/** What a session is doing; the last three wait for somebody to take the run up again. */
export type SessionStatus = 'idle' | 'running' | 'waiting' | 'interrupted' | 'failed' | 'limit';

/** The agent's last reply: the only message whose calls may still be open. What a page adds in the agent's name is none. */
export function lastReply(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => message.role === 'assistant' && message.status !== undefined);
}

/** The calls that have not come to an end. */
export function openCalls(state: SessionState): readonly ToolPart[] {
  // Before its first run a session has none: a page that adds its history must not look through all of it each time.
  const reply = state.run && lastReply(state.messages);
  return reply === undefined ? [] : toolParts(reply).filter((call) => !isEnded(call.status));
}

/** Whether nothing else may begin. */
export function isUnderWay(status: SessionStatus): boolean {
  return status === 'running' || status === 'waiting';
}

/** The calls that wait for a person. */
export function callsAwaitingApproval(state: SessionState): readonly ToolPart[] {
  return openCalls(state).filter(({ status }) => status === 'awaiting-approval');
}

export function isAwaitingApproval(state: SessionState): boolean {
  return callsAwaitingApproval(state).length > 0;
}

/** Returns the status of a session: a projection of its run and its open calls. */
export function statusOf(state: SessionState): SessionStatus {
  const outcome = state.run?.outcome;
  if (outcome !== undefined) return outcome === 'completed' || outcome === 'cancelled' ? 'idle' : outcome;
  if (state.run === undefined) return 'idle';
  const open = openCalls(state);
  return state.run.openReply === undefined &&
    open.length > 0 &&
    open.every((call) => call.status === 'awaiting-approval')
    ? 'waiting'
    : 'running';
}
