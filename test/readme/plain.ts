import { createAgent, extractTextContent } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';
import './chat.css';

const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: prompt('Your OpenAI API key') ?? '' });
const agent = createAgent({ client, store: createIndexedDBStore() });
location.hash ||= agent.createSession();
const session = await agent.openSession(location.hash.slice(1));

const list = document.body.appendChild(document.createElement('main'));
const input = document.body.appendChild(document.createElement('input'));
input.ariaLabel = 'Message';
input.addEventListener('change', () => {
  void session.send(input.value, { whenBusy: 'queue' });
  input.value = '';
});
session.messages$.subscribe((messages) => {
  const rows = messages.map(({ role, content }) =>
    Object.assign(document.createElement('p'), { className: role, textContent: extractTextContent(content) }));
  list.replaceChildren(...rows);
});
