import { createAgent, createChatCompletionsClient, type Message } from 'brooklet';
import { Chat } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(location.search);
const count = Number(query.get('messages') ?? '0');
const markdown = query.get('markdown') ?? '';

const history: readonly Message[] = Array.from({ length: count }, (_, index) => ({
  id: `m${index}`,
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: index % 2 === 0 ? `Question ${index / 2}` : markdown }],
  timestamp: index,
}));
const client = createChatCompletionsClient({
  baseURL: query.get('model') ?? 'http://127.0.0.1/v1',
  apiKey: 'none',
  model: 'm',
});
const agent = createAgent({ client });
const root = document.querySelector('#root');

// The floor of the time from a key to its paint is a field alone.
if (root) createRoot(root).render(query.has('floor') ? <textarea /> : <Chat agent={agent} initialMessages={history} />);
