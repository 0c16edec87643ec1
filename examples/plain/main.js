import { createAgent, extractTextContent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

// A script, so that the page needs no key. A model instead: createProviderClient(ollama, { model: 'llama3.2' }) of brooklet/providers.
const client = createScriptedClient(({ messages }) => [
  reply.text(`You said “${extractTextContent(messages.at(-1))}”.`, { size: 3, ms: 20 }),
]);
const agent = createAgent({ client, store: createIndexedDBStore({ name: 'plain' }) });
location.hash ||= agent.createSession();
const session = await agent.openSession(location.hash.slice(1));

const list = document.querySelector('main');
const form = document.querySelector('form');
const input = document.querySelector('input');

session.messages$.subscribe((messages) => {
  const rows = messages.map((message) => {
    const row = document.createElement('article');
    row.className = message.role;
    row.textContent = extractTextContent(message);
    return row;
  });
  list.replaceChildren(...rows);
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (input.value.trim() === '') return;
  void session.send(input.value, { whenBusy: 'queue' });
  input.value = '';
});
