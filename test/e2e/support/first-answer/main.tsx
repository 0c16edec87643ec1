// The page that the size gate weighs: one plain text answer, stored.

import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import { AgentProvider, useChat, useStorageStatus } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { createRoot } from 'react-dom/client';

const baseURL = new URLSearchParams(location.search).get('baseURL') ?? '';
const agent = createAgent({
  client: createChatCompletionsClient({ baseURL, model: 'gpt-5-mini' }),
  store: createIndexedDBStore(),
});

function Chat() {
  const { messages, outcome, session, send } = useChat();
  const isStored = useStorageStatus(session, ({ state }) => state === 'saved');
  return (
    <main>
      <button onClick={() => void send('Hello')}>Send</button>
      {messages.map((message) => (
        <p key={message.id}>{extractTextContent(message)}</p>
      ))}
      <output>{outcome === 'completed' && isStored ? 'answered and stored' : 'under way'}</output>
    </main>
  );
}

createRoot(document.querySelector('#root') ?? document.body).render(
  <AgentProvider agent={agent}>
    <Chat />
  </AgentProvider>,
);
