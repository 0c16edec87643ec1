import { useMemo } from 'react';
import type { Message } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { keepSame } from './keepSame.ts';
import { useObservable } from './useObservable.ts';

const none: readonly Message[] = [];

/**
 * The ids of a session's messages, in order: changes when a message comes or goes, not when one grows.
 * A list of these, with `useMessage` in each row, is not rendered at all while a reply streams.
 */
export function useMessageIds(session: AgentSession | undefined): readonly string[] {
  const toIds = useMemo(() => keepSame((messages: readonly Message[]) => messages.map(({ id }) => id)), []);
  return useObservable(session?.messages$, () => toIds(session?.getMessages() ?? none));
}
