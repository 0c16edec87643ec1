import { createAgent, createChatCompletionsClient } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { addComposer, showMessages } from '../shared/chat';

// The key stays in this form: Brooklet asks for it before each request, and never stores it.
const form = document.querySelector<HTMLFormElement>('#connection');
const list = document.querySelector('main');
const read = (name: string): string => String((form && new FormData(form).get(name)) ?? '');

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (!list) return;
  const client = createChatCompletionsClient({
    baseURL: read('baseURL'),
    model: read('model'),
    apiKey: () => read('key'),
  });
  const agent = createAgent({ client, store: createIndexedDBStore({ name: 'byok' }) });
  const { sessions = [] } = (await agent.store?.list({ limit: 1 })) ?? {};
  const session = await agent.openSession(sessions[0]?.id ?? agent.createSession());
  form.hidden = true;
  showMessages(session, list);
  addComposer(session, list);
});
