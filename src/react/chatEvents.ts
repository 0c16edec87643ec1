import { fromErrorInfo } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { SessionEvent } from '../core/model/event.ts';
import { findCall } from '../core/model/find-call.ts';
import { placeOf } from '../core/model/message.ts';
import type { SessionState } from '../core/model/state.ts';
import type { RunResult } from '../core/session/session.ts';
import type { ChatListeners } from './UseChatOptions.ts';

/** Calls the listener of an event. @param state after the event */
export function tell(event: SessionEvent, state: SessionState, listeners: ChatListeners): void {
  const { onFinish, onError, onToolCall, onApproval } = listeners;
  if (event.type === 'call.requested' || event.type === 'approval.requested') {
    const { call } = findCall(state, event.callId) ?? {};
    if (call) (event.type === 'call.requested' ? onToolCall : onApproval)?.(call);
  } else if (event.type === 'run.ended' && state.run?.isCompaction !== true) {
    const result = resultOf(event, state);
    if (result.error) onError?.(result.error);
    onFinish?.(result);
  }
}

function resultOf(
  { outcome, error: info }: Extract<SessionEvent, { type: 'run.ended' }>,
  { messages, run }: SessionState,
): RunResult {
  const message = messages.slice(placeOf(messages, run?.promptId) + 1).findLast(({ status }) => status !== undefined);
  const finish = outcome === 'completed' ? message?.finish : undefined;
  return { outcome, ...defined({ message, finish, error: info && fromErrorInfo(info) }) };
}
