import { fetchServerSentEvents, type UIMessage, useChat } from '@tanstack/ai-react';
import { useImperativeHandle, useState } from 'react';
import { type ChatProps, Log, rowOf, show } from '../page.tsx';

const MessageRow = rowOf<UIMessage>(
  ({ role }) => role,
  ({ parts }) => {
    let text = '';
    for (const part of parts) {
      if (part.type === 'text') text += part.content;
      if (part.type === 'tool-call') text += part.arguments;
    }
    return text;
  },
);

function Chat({ api, history, ref }: ChatProps) {
  const [connection] = useState(() => fetchServerSentEvents(`${api}/agui`));
  const { messages, sendMessage, stop } = useChat({
    connection,
    initialMessages: history.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', content: text }] })),
  });
  useImperativeHandle(ref, () => ({ send: (text) => sendMessage(text), stop }), [sendMessage, stop]);
  return (
    <Log>
      {messages.map((message) => (
        <MessageRow key={message.id} message={message} />
      ))}
    </Log>
  );
}

show(Chat);
