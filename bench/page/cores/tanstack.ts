import { ChatClient, fetchServerSentEvents, indexedDBPersistence } from '@tanstack/ai-client';
import { run } from '../core.ts';

await run(({ api, history, stored }) => {
  const connection = fetchServerSentEvents(`${api}/agui`);
  const initialMessages = history.map(({ id, role, text }) => ({
    id,
    role,
    parts: [{ type: 'text' as const, content: text }],
  }));
  const client = stored
    ? new ChatClient({ connection, initialMessages, threadId: 'bench', persistence: indexedDBPersistence() })
    : new ChatClient({ connection, initialMessages });
  return (text) => client.sendMessage(text);
});
