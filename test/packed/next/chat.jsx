'use client';
import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { useEffect, useState } from 'react';

const client = createChatCompletionsClient({
  baseURL: 'https://api.openai.com/v1',
  apiKey: 'sk-test',
  model: 'gpt-5-mini',
});
const agent = createAgent({ client, store: createIndexedDBStore() });

export function Chat() {
  return (
    <AgentProvider agent={agent}>
      <Conversation />
    </AgentProvider>
  );
}

function Conversation() {
  const [sessionId, setSessionId] = useState();
  const [text, setText] = useState('');
  useEffect(() => setSessionId(location.hash.slice(1) || undefined), []);
  const { messages, error, send } = useChat({ sessionId, onSessionCreated: (id) => (location.hash = id) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setText('');
        void send(text);
      }}
    >
      {messages.map((message) => (
        <p key={message.id}>{extractTextContent(message)}</p>
      ))}
      {error?.message} <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
    </form>
  );
}
