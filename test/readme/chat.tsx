import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { createRoot } from 'react-dom/client';

const apiKey = prompt('Your key') ?? '';
const client = createChatCompletionsClient({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5-mini' });

function Chat() {
  const { messages, status, error, send, stop } = useChat();
  const lines = messages.map((message) => <p key={message.id}>{extractTextContent(message)}</p>);
  return (
    <form action={(fields) => void send(String(fields.get('text')))}>
      {lines} {error?.message} <input name="text" /> <button>Send</button>
      <input type="button" value="Stop" onClick={stop} disabled={status !== 'running'} />
    </form>
  );
}

const agent = createAgent({ client });
createRoot(document.body).render(<AgentProvider agent={agent} children={<Chat />} />);
