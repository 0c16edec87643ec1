import { createAgent, createChatCompletionsClient } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { createRoot } from 'react-dom/client';

const apiKey = prompt('Your key') ?? '';
const agent = createAgent({
  client: createChatCompletionsClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini' }),
  store: createIndexedDBStore(),
});

createRoot(document.body).render(
  <AgentProvider agent={agent}>
    <Chat />
  </AgentProvider>,
);

declare const Chat: ComponentType;

// What the sample leaves to its page.
import type { ComponentType } from 'react';
