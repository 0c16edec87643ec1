import { createProviderClient, openai } from 'brooklet/providers';
import { AgentProvider, useObservable } from 'brooklet/react';
import { Chat, KeyField } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { useState, useSyncExternalStore } from 'react';
import { agent } from './agent';

function followAddress(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

export default function App() {
  // The address has the id of the conversation: a reload, a bookmark, Back and Forward show it.
  const id = useSyncExternalStore(followAddress, () => location.hash.slice(1), () => '');
  const client = useObservable(agent.client$, agent.getClient);
  const [isRefused, setIsRefused] = useState(false);
  return (
    <AgentProvider agent={agent}>
      <nav><a href="#">New chat</a></nav>
      {(!client || isRefused) && (
        <KeyField
          provider={openai}
          onReady={({ apiKey = '' }) => {
            agent.setClient(createProviderClient(openai, { model: 'gpt-5-mini', apiKey }));
            setIsRefused(false);
          }}
        />
      )}
      <Chat
        sessionId={id || undefined}
        create // also where the page was left before the conversation was stored
        onSessionCreated={(created) => location.replace(`#${created}`)} // not a step of the history
        onError={({ code }) => code === 'AUTHENTICATION_FAILED' && setIsRefused(true)}
        onNewChat={() => location.assign('#')}
      />
    </AgentProvider>
  );
}
