// The README's `App.tsx` with `Conversation` in the place of `Chat`, as its chapter on one's own markup says.
import { createProviderClient, openai } from 'brooklet/providers';
import { AgentProvider, useObservable } from 'brooklet/react';
import { KeyField } from 'brooklet/ui';
import 'brooklet/ui/style.css';

import { StrictMode, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { agent } from '../../../../readme/agent';
import { Conversation } from '../../../../readme/Conversation';
import '../../../../readme/index.css';

function followAddress(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

function App() {
  // The address has the id of the conversation: a reload, a bookmark, Back and Forward show it.
  const id = useSyncExternalStore(
    followAddress,
    () => location.hash.slice(1),
    () => '',
  );
  const client = useObservable(agent.client$, agent.getClient);
  const [isRefused, setIsRefused] = useState(false);
  return (
    <AgentProvider agent={agent}>
      <nav>
        <a href="#">New chat</a>
      </nav>
      {(!client || isRefused) && (
        <KeyField
          provider={openai}
          onReady={({ apiKey = '' }) => {
            agent.setClient(createProviderClient(openai, { model: 'gpt-5-mini', apiKey }));
            setIsRefused(false);
          }}
        />
      )}
      <Conversation
        sessionId={id || undefined}
        create
        onSessionCreated={(created) => location.replace(`#${created}`)} // not a step of the history
        onError={({ code }) => code === 'AUTHENTICATION_FAILED' && setIsRefused(true)}
      />
    </AgentProvider>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
