import { useChat, type UseChatResult } from 'brooklet/react';
import { useMemo } from 'react';
import { clientSet, toolsAdded } from '../agent/agent.ts';
import { runOptionsOf } from '../model/chatSettings.ts';
import { becomeSession } from '../base/route.ts';

/** Returns a conversation of Studio: with the client, the tools, and the settings of the chat in each run. */
export function useStudioChat(sessionId: string | undefined): UseChatResult {
  const chat = useChat({ sessionId, onSessionCreated: becomeSession });
  const { session, send, edit, regenerate, resume } = chat;
  const verbs = useMemo(
    (): Pick<UseChatResult, 'send' | 'edit' | 'regenerate' | 'resume'> => ({
      async send(input, options) {
        await Promise.all([toolsAdded(true), clientSet()]);
        return send(input, { ...runOptionsOf(session), ...options });
      },
      async edit(messageId, input, options) {
        await clientSet();
        return edit(messageId, input, { ...runOptionsOf(session), ...options });
      },
      async regenerate(messageId, options) {
        await clientSet();
        return regenerate(messageId, { ...runOptionsOf(session), ...options });
      },
      async resume(options) {
        await clientSet();
        return resume(options);
      },
    }),
    [session, send, edit, regenerate, resume],
  );
  return { ...chat, ...verbs };
}
