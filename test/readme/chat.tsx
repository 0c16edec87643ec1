import { createAgent, extractTextContent } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { AgentProvider, useChat } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import './chat.css';

let key = ''; // in the memory of this tab; asked for when the first message is sent
const apiKey = () => (key ||= prompt('Your OpenAI API key') ?? '');
const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey });
const agent = createAgent({ client, store: createIndexedDBStore() });

function followAddress(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

function Chat() {
  const [text, setText] = useState('');
  // The id of the conversation is in the address: it survives a reload, and Back returns to the last one.
  const sessionId = useSyncExternalStore(followAddress, () => location.hash.slice(1)) || undefined;
  const { messages, queue, status, error, retrying, send, stop, resume } = useChat({
    sessionId,
    create: true, // also where the page was left before the conversation was stored
    onSessionCreated: (id) => history.replaceState(null, '', `#${id}`),
  });
  return (
    <main>
      {messages.map((message) => <p key={message.id} className={message.role}>{extractTextContent(message)}</p>)}
      {queue.map(({ message }) => <p key={message.id} className="user waiting">{extractTextContent(message)}</p>)}
      {retrying && <p role="status">{retrying.error.message} The message is sent again.</p>}
      {error && <p role="alert">{error.message}</p>}
      {['interrupted', 'failed', 'limit'].includes(status) && <button onClick={() => void resume()}>Continue</button>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(text, { whenBusy: 'queue', onAccepted: () => setText('') });
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={text.trim() === ''}>Send</button>
        <button type="button" disabled={status !== 'running'} onClick={stop}>Stop</button>
        <a href="#">New chat</a>
      </form>
    </main>
  );
}

createRoot(document.body).render(<AgentProvider agent={agent}><Chat /></AgentProvider>);
