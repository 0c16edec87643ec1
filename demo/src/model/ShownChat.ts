import type { AgentSession } from 'brooklet';
import { useObservable, type UseChatResult } from 'brooklet/react';
import { type Context, createContext, useContext, useMemo } from 'react';
import { firstSeenId } from './firstSeenId.ts';

/** What the messages of a conversation show beside themselves. */
export interface ShownChat {
  readonly session: AgentSession;
  readonly fork: UseChatResult['fork'];
  /** The first message that the model still sees in full; `undefined` if no message was compacted. */
  readonly firstSeen: string | undefined;
  /** Ids of the messages that the model always sees in full. */
  readonly pinned: readonly string[];
}

/** The conversation around; `undefined` while it is being opened. */
export const ShownChatContext: Context<ShownChat | undefined> = createContext<ShownChat | undefined>(undefined);

/** Returns the conversation around. */
export const useShownChat = (): ShownChat | undefined => useContext(ShownChatContext);

/** Returns what the messages of a conversation show beside themselves: the same value until something of it changes. */
export function useChatToShow({ session, fork }: Pick<UseChatResult, 'session' | 'fork'>): ShownChat | undefined {
  const firstSeen = useObservable(session?.context$, () => session && firstSeenId(session));
  const pinned = useObservable(session?.context$, () => session?.getContext()?.pinned.join(' ') ?? '');
  return useMemo(
    () => session && { session, fork, firstSeen, pinned: pinned.split(' ') },
    [session, fork, firstSeen, pinned],
  );
}
