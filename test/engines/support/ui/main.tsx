import { createAgent, createChatCompletionsClient } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { Chat } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { createRoot } from 'react-dom/client';
import { pay } from './pay.ts';
const baseURL = new URLSearchParams(location.search).get('model') ?? '';
const client = createChatCompletionsClient({ baseURL, apiKey: 'none', model: 'm' });
const agent = createAgent({ client, store: createIndexedDBStore(), tools: [pay] });
createRoot(document.body).render(<Chat agent={agent} create {...address()} />);

/** The conversation is that of the address: it survives a reload. */
function address() {
  return {
    sessionId: location.hash.slice(1) || undefined,
    onSessionCreated: (id: string) => history.replaceState(null, '', `#${id}`),
  };
}
