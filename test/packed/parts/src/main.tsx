import { createAgent } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { pay } from './approvals';
import { Chat } from './components/brooklet/Chat';
import './components/brooklet/style.css';

const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: 'sk-test' });
const agent = createAgent({ client, store: createIndexedDBStore(), tools: [pay] });
const root = document.querySelector('#root');

if (root)
  createRoot(root).render(
    <StrictMode>
      <Chat
        agent={agent}
        sessionId={location.hash.slice(1) || undefined}
        create
        onSessionCreated={(id) => history.replaceState(null, '', `#${id}`)}
      />
    </StrictMode>,
  );
