import type { ToolTypes } from '../core/model/call.ts';
import type { Message } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

const none: readonly never[] = [];

/** Returns the messages of a session, oldest first, without the rest of `useChat`. */
export function useMessages<Tools extends ToolTypes = ToolTypes>(
  session: AgentSession<Tools> | undefined,
): readonly Message<Tools>[] {
  return useObservable(session?.messages$, () => session?.getMessages() ?? none);
}
