import { HttpAgent, type Message } from '@ag-ui/client';
import { useCallback, useImperativeHandle, useState } from 'react';
import { type ChatProps, Log, rowOf, show } from '../page.tsx';
import { useFrames } from '../useFrames.ts';

const MessageRow = rowOf<Message>(
  ({ role }) => role,
  (message) => {
    let text = typeof message.content === 'string' ? message.content : '';
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) text += call.function.arguments;
    return text;
  },
);

function Chat({ api, history, ref }: ChatProps) {
  const [agent] = useState(
    () =>
      new HttpAgent({
        url: `${api}/agui`,
        initialMessages: history.map(({ id, role, text }) => ({ id, role, content: text })),
      }),
  );
  const [latest] = useState<{ messages: readonly Message[] }>({ messages: agent.messages });
  useFrames(
    useCallback(
      (onChange) => {
        const subscription = agent.subscribe({
          onMessagesChanged(changed) {
            latest.messages = changed.messages;
            onChange();
          },
        });
        return () => subscription.unsubscribe();
      },
      [agent, latest],
    ),
  );
  useImperativeHandle(
    ref,
    () => ({
      stop: () => agent.abortRun(),
      send(text) {
        agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
        return agent.runAgent();
      },
    }),
    [agent],
  );
  return (
    <Log>
      {latest.messages
        .filter(({ role }) => role === 'user' || role === 'assistant')
        .map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
    </Log>
  );
}

show(Chat);
