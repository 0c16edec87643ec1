import { isEnded } from './call-status.ts';
import { isToolPart, type Message, type ToolPart, toolParts } from './message.ts';
import type { SessionState } from './state.ts';
import { lastReply } from './status.ts';

/**
 * Returns the calls that have passed the conversation to another agent, in their order: of each reply the first one that has succeeded. The calls
 * of a reply belong to the agent that wrote it: a reply counts when all of them have ended.
 */
export function handoffsIn({ messages }: Pick<SessionState, 'messages'>): readonly ToolPart[] {
  const last = lastReply(messages);
  return messages.flatMap((message) => {
    const isOpen =
      message === last && toolParts(message).some(({ status }) => !isEnded(status) && status !== 'uncertain');
    return isOpen ? [] : (handoffOf(message) ?? []);
  });
}

function handoffOf({ role, content }: Message): ToolPart | undefined {
  if (role !== 'assistant') return undefined;
  const isHandoff = (part: Message['content'][number]): part is ToolPart =>
    isToolPart(part) && part.status === 'succeeded' && part.handoff !== undefined;
  return content.find(isHandoff);
}

/** Returns the message as one whose calls pass the conversation to nobody: it came in a file. */
export function withoutHandoffs(message: Message): Message {
  if (handoffOf(message) === undefined) return message;
  return {
    ...message,
    content: message.content.map((part) => {
      if (!isToolPart(part)) return part;
      const { handoff: _elsewhere, ...call } = part;
      return call;
    }),
  };
}
