import { useMemo } from 'react';
import type { ToolTypes } from '../core/model/call.ts';
import { type Message, placeOf } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns one message, or the result of `select` for that message; `undefined` if there is no such message. The
 * component is rendered again only when this value has changed, not for changes of other messages.
 *
 *     const text = useMessage(session, id, extractTextContent);
 */
export function useMessage<Tools extends ToolTypes = ToolTypes>(
  session: AgentSession<Tools> | undefined,
  messageId: string,
): Message<Tools> | undefined;
export function useMessage<T, Tools extends ToolTypes = ToolTypes>(
  session: AgentSession<Tools> | undefined,
  messageId: string,
  select: (message: Message<Tools>) => T,
): T | undefined;
export function useMessage(
  session: AgentSession | undefined,
  messageId: string,
  select: (message: Message) => unknown = identity,
): unknown {
  const find = useMemo(() => createFinder(messageId, select), [messageId, select]);
  return useObservable(session?.messages$, () => find(session?.getMessages() ?? none));
}

const none: readonly Message[] = [];

function identity(message: Message): Message {
  return message;
}

/** Returns the same result for the same message: a snapshot must keep its identity. */
function createFinder<T>(
  messageId: string,
  select: (message: Message) => T,
): (messages: readonly Message[]) => T | undefined {
  let index = 0;
  let message: Message | undefined;
  let selected: T | undefined;
  return (messages) => {
    // The index is cached because messages rarely move: else 1,000 rows would each search 1,000 messages in every frame.
    if (messages[index]?.id !== messageId) index = placeOf(messages, messageId);
    const found = messages[index];
    if (found !== message) {
      selected = found && select(found);
      message = found;
    }
    return selected;
  };
}
