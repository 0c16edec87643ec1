import { useMemo } from 'react';
import type { Message } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/**
 * One message, or what `select` makes of it; `undefined` where there is no such message. The component is rendered again
 * only when that has changed, whatever happens to the other messages.
 *
 *     const text = useMessage(session, id, extractTextContent);
 */
export function useMessage(session: AgentSession | undefined, messageId: string): Message | undefined;
export function useMessage<T>(
  session: AgentSession | undefined,
  messageId: string,
  select: (message: Message) => T,
): T | undefined;
export function useMessage(
  session: AgentSession | undefined,
  messageId: string,
  select: (message: Message) => unknown = asItIs,
): unknown {
  const find = useMemo(() => createFinder(messageId, select), [messageId, select]);
  return useObservable(session?.messages$, () => find(session?.getMessages() ?? none));
}

const none: readonly Message[] = [];

function asItIs(message: Message): Message {
  return message;
}

/** Gives the same for the same message: a snapshot must keep its identity. */
function createFinder<T>(
  messageId: string,
  select: (message: Message) => T,
): (messages: readonly Message[]) => T | undefined {
  let index = 0;
  let message: Message | undefined;
  let selected: T | undefined;
  return (messages) => {
    // Messages seldom move: a thousand rows must not search a thousand messages each, frame by frame.
    if (messages[index]?.id !== messageId) index = messages.findIndex(({ id }) => id === messageId);
    const found = messages[index];
    if (found !== message) {
      selected = found && select(found);
      message = found;
    }
    return selected;
  };
}
