import { merge } from '../json.ts';
import type { CallStatus, Message, Part, ToolPart } from './message.ts';
import { mayFollow } from './call-status.ts';
import { findCall, type FoundCall } from './find-call.ts';
import { closeCalls, moved, replace } from './parts.ts';
import type { SessionState } from './state.ts';

/** Moves all calls that have not ended, or only those in state `from`, to state `to`. */
export function closeAll(
  state: SessionState,
  to: CallStatus,
  from?: CallStatus,
  isMeant?: (call: ToolPart) => boolean,
): SessionState {
  const close = (message: Message): Message => closeCalls(message, to, from, isMeant);
  // Most often nothing is open: the list is searched and not copied.
  return state.messages.some((message) => close(message) !== message)
    ? { ...state, messages: state.messages.map(close) }
    : state;
}

/** Changes the reply that is streaming, if there is one. */
export function changeReply(state: SessionState, change: (reply: Message) => Message): SessionState {
  return changeMessage(state, state.run?.openReply, change);
}

export function changeContent(
  state: SessionState,
  change: (content: readonly Part[]) => readonly Part[],
): SessionState {
  return changeReply(state, (reply) => ({ ...reply, content: change(reply.content) }));
}

export function changeMessage(
  state: SessionState,
  id: string | undefined,
  change: (message: Message) => Message,
): SessionState {
  const message = state.messages.findLast((one) => one.id === id);
  return message === undefined ? state : { ...state, messages: replace(state.messages, message, change(message)) };
}

/** Moves a call to a status and merges `change` into it; an unknown call or a transition that is not allowed changes nothing. */
export function changeCall(
  state: SessionState,
  callId: string,
  status: CallStatus,
  change: (call: ToolPart) => Partial<ToolPart>,
): SessionState {
  const found = findCall(state, callId);
  if (found === undefined || !mayFollow(found.call.status, status)) return state;
  const call = moved(found.call, status);
  return putCall(state, found, change(call), call);
}

/** Replaces a call by `base`, merged with `changes`. */
export function putCall(
  state: SessionState,
  { message, call }: FoundCall,
  changes: Partial<ToolPart>,
  base: ToolPart = call,
): SessionState {
  const content = replace(message.content, call, merge(base, changes));
  return { ...state, messages: replace(state.messages, message, { ...message, content }) };
}
