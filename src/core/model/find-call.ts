import { isToolPart, type Message, type Part, type ToolPart } from './message.ts';
import type { SessionState } from './state.ts';

/** A call and its message. */
export interface FoundCall {
  readonly message: Message;
  readonly call: ToolPart;
}

/** Returns a call and its message; searched from the newest message. */
export function findCall(state: SessionState, callId: string): FoundCall | undefined {
  const message = state.messages.findLast(({ content }) => content.some(isCall(callId)));
  const call = message?.content.find(isCall(callId));
  return message && call && { message, call };
}

export function isCall(callId: string): (part: Part) => part is ToolPart {
  return (part): part is ToolPart => isToolPart(part) && part.callId === callId;
}
