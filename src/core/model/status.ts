import { type Message, toolParts, type ToolPart } from './message.ts';
import { isEnded } from './call-status.ts';
import type { RecentState, SessionState } from './state.ts';

/**
 * What a session is doing. `waiting`: every open call awaits a decision, or is one of an agent whose session waits. `interrupted`, `failed` and `limit`: the run has ended,
 * and a person may resume it.
 */
export type SessionStatus = 'idle' | 'running' | 'waiting' | 'interrupted' | 'failed' | 'limit';

/** The agent's last reply: the only message whose calls may be open. An assistant message that the page added is not a reply. */
export function lastReply(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => message.role === 'assistant' && message.status !== undefined);
}

/** The newest message of the conversation; `undefined` only where there is none. */
export function newestOf(state: SessionState | RecentState): Message | undefined {
  return 'messages' in state ? state.messages.at(-1) : state.newest;
}

/** The last reply of a session with a run. Before its first run a session has no reply of its own. */
export function lastReplyOf(state: SessionState | RecentState): Message | undefined {
  if (!('messages' in state)) return state.lastReply;
  // A page that adds a history must not search all messages each time.
  return state.run && lastReply(state.messages);
}

/** The calls of the last reply that have not ended, in the order of the reply. */
export function openCalls(state: SessionState | RecentState): readonly ToolPart[] {
  const reply = lastReplyOf(state);
  return reply === undefined ? [] : toolParts(reply).filter((call) => !isEnded(call.status));
}

/** Whether a run is under way: no other run may start. */
export function isUnderWay(status: SessionStatus): boolean {
  return status === 'running' || status === 'waiting';
}

/** The open calls that await a decision of a person, in the order of the reply. */
export function callsAwaitingApproval(state: SessionState | RecentState): readonly ToolPart[] {
  return openCalls(state).filter(({ status }) => status === 'awaiting-approval');
}

/** Whether a call awaits a decision of a person. */
export function isAwaitingApproval(state: SessionState | RecentState): boolean {
  return callsAwaitingApproval(state).length > 0;
}

/** Returns the status of a session: a projection of its run and its open calls. */
export function statusOf(state: SessionState | RecentState): SessionStatus {
  const { outcome, isCompaction } = state.run ?? {};
  // A compaction that failed has changed nothing: there is nothing to resume.
  if (outcome === 'failed' && isCompaction) return 'idle';
  if (outcome !== undefined) return outcome === 'completed' || outcome === 'cancelled' ? 'idle' : outcome;
  if (state.run === undefined) return 'idle';
  const open = openCalls(state);
  return state.run.openReply === undefined &&
    open.length > 0 &&
    open.every((call) => call.status === 'awaiting-approval')
    ? 'waiting'
    : 'running';
}
