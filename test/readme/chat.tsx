import { createAgent, extractTextContent } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { AgentProvider, useChat } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import './chat.css';

const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: prompt('Your OpenAI API key') ?? '' });
const agent = createAgent({ client, store: createIndexedDBStore() });

function Chat() {
  const [text, setText] = useState('');
  const sessionId = location.hash.slice(1) || undefined; // the address of the chat: it survives a reload
  const { messages, status, error, send, stop } = useChat({ sessionId, onSessionCreated: (id) => (location.hash = id) });
  return (
    <form onSubmit={(event) => { event.preventDefault(); setText(''); void send(text); }}>
      {messages.map((message) => <p key={message.id} className={message.role}>{extractTextContent(message)}</p>)}
      {error?.message} <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      {status === 'running' ? <button type="button" onClick={stop}>Stop</button> : <button>Send</button>}
    </form>
  );
}

createRoot(document.body).render(<AgentProvider agent={agent}><Chat /></AgentProvider>);
