import { useChat, type UseChatResult } from 'brooklet/react';
import { useCallback } from 'react';
import { toolsAdded } from '../agent.ts';
import { runOptionsOf } from '../chatSettings.ts';
import { goTo } from '../route.ts';

/** Returns a conversation of Studio: with the tools and the model of the chat in each run. */
export function useStudioChat(sessionId: string | undefined): UseChatResult {
  const chat = useChat({ sessionId, onSessionCreated: goTo });
  const { session, send, edit } = chat;
  const sendWithTools: UseChatResult['send'] = useCallback(
    async (input, options) => {
      await toolsAdded(true);
      return send(input, { ...runOptionsOf(session), ...options });
    },
    [session, send],
  );
  const editWithModel: UseChatResult['edit'] = useCallback(
    (messageId, input, options) => edit(messageId, input, { ...runOptionsOf(session), ...options }),
    [session, edit],
  );
  return { ...chat, send: sendWithTools, edit: editWithModel };
}
