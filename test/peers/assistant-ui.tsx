import { type AppendMessage, type ThreadMessageLike, useExternalStoreRuntime } from '@assistant-ui/react';
import type { AgentSession } from 'brooklet';
import { toUIMessages, type UIMessage } from 'brooklet/bridges';
import { useMessages, useObservable } from 'brooklet/react';
import { useMemo } from 'react';

const convertMessage = ({ id, role, parts }: UIMessage): ThreadMessageLike => ({
  id,
  role,
  content: parts.flatMap((part) => (part.type === 'text' ? [{ type: 'text' as const, text: part.text }] : [])),
});
const textOf = ({ content }: AppendMessage) => content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** For <AssistantRuntimeProvider runtime={useSessionRuntime(session)}>. */
export function useSessionRuntime(session: AgentSession) {
  const messages = useMessages(session);
  const status = useObservable(session.status$, session.getStatus);
  return useExternalStoreRuntime<UIMessage>({
    messages: useMemo(() => toUIMessages(messages), [messages]),
    convertMessage,
    isRunning: status === 'running',
    onNew: async (message) => void session.send(textOf(message), { whenBusy: 'queue' }),
    onCancel: async () => session.cancel(),
  });
}
