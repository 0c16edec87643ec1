import { isToolPart, type Message, type Part, type ToolPart } from './message.ts';
import type { SessionState } from './state.ts';

/** A call and the message that it stands in. */
export interface FoundCall {
  readonly message: Message;
  readonly call: ToolPart;
}

/** A call and the message that it stands in; looked for from the end. */
export function findCall(state: SessionState, callId: string): FoundCall | undefined {
  const message = state.messages.findLast(({ content }) => content.some(isCall(callId)));
  const call = message?.content.find(isCall(callId));
  return message && call && { message, call };
}

export function isCall(callId: string): (part: Part) => part is ToolPart {
  return (part): part is ToolPart => isToolPart(part) && part.callId === callId;
}
