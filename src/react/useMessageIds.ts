import { useMemo } from 'react';
import type { Message } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { keepSame } from './keepSame.ts';
import { useObservable } from './useObservable.ts';

const none: readonly Message[] = [];

/**
 * Returns the ids of a session's messages, in order. The list changes when a message is added or removed, not when a
 * message grows: with `useMessage` in each row, the list is not rendered while a reply streams.
 *
 *     return useMessageIds(session).map((id) => <Row key={id} session={session} id={id} />);
 */
export function useMessageIds(session: AgentSession | undefined): readonly string[] {
  const toIds = useMemo(() => keepSame((messages: readonly Message[]) => messages.map(({ id }) => id)), []);
  return useObservable(session?.messages$, () => toIds(session?.getMessages() ?? none));
}
