import { createAgent, createChatCompletionsClient, type Message } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { run } from '../core.ts';

let seen: readonly Message[] = [];

await run(async ({ api, history, stored, window: contextWindow }) => {
  const agent = createAgent({
    client: createChatCompletionsClient({ baseURL: `${api}/v1`, apiKey: 'key', model: 'm' }),
    ...(stored && { store: createIndexedDBStore() }),
    ...(contextWindow !== undefined && { contextWindow }),
  });
  const session = agent.getSession(agent.createSession());
  if (!session) throw new Error('There is no session.');
  for (const { id, role, text } of history) session.addMessage({ id, role, content: text });
  await session.flushed();
  session.messages$.subscribe((messages) => (seen = messages));
  return async (text) => {
    await session.send(text);
    await session.flushed();
    return seen;
  };
});
