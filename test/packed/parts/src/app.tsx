import { createAgent } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';
import { StrictMode, useSyncExternalStore } from 'react';
import { pay } from './pay';
import { Chat } from './components/brooklet/Chat';

const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: 'sk-test' });
const agent = createAgent({ client, store: createIndexedDBStore(), tools: [pay] });

function followAddress(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** The same on the server, which knows no conversation, and in the page. */
export function App() {
  const sessionId = useSyncExternalStore(
    followAddress,
    () => location.hash.slice(1),
    () => '',
  );
  return (
    <StrictMode>
      <Chat
        agent={agent}
        sessionId={sessionId || undefined}
        create
        onSessionCreated={(id) => history.replaceState(null, '', `#${id}`)}
      />
    </StrictMode>
  );
}
