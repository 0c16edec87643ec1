import { createAgent, extractTextContent, toAgentError } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';
import './chat.css';

// The key stays in its field.
const key = Object.assign(document.createElement('input'), { type: 'password', placeholder: 'OpenAI API key', required: true });
const client = createProviderClient(openai, { model: 'gpt-5-mini', apiKey: () => key.value });
const agent = createAgent({ client, store: createIndexedDBStore() });

// The address has the id of the conversation: a reload, a bookmark, Back and Forward show it.
const id = location.hash.slice(1) || agent.createSession();
history.replaceState(null, '', `#${id}`);
addEventListener('hashchange', () => location.reload());
const opening = agent.openSession(id, { create: true }); // also where the page was left before the conversation was stored

const main = document.createElement('main');
const log = Object.assign(document.createElement('div'), { className: 'log' });
const end = document.createElement('div');
const list = document.createElement('div');
const problem = Object.assign(document.createElement('p'), { role: 'alert' });
const goOn = Object.assign(document.createElement('button'), { textContent: 'Continue', hidden: true });
const form = document.createElement('form');
const input = Object.assign(document.createElement('input'), { ariaLabel: 'Message' });
const stop = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Stop', disabled: true });
const newChat = Object.assign(document.createElement('a'), { textContent: 'New chat', href: '#' });
form.append(key, input, Object.assign(document.createElement('button'), { textContent: 'Send' }), stop, newChat);
log.append(end);
end.append(list, problem, goOn);
main.append(log, form);
document.body.append(main);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (input.value.trim() === '') return;
  opening.then((session) => {
    void session.send(input.value, { whenBusy: 'queue' }); // throws where the message is refused
    input.value = '';
  }).catch((error) => (problem.textContent = toAgentError(error).message));
});

// `then`, not `await`: in Safari a module that others import must not wait at its top level.
opening.then((session) => {
  stop.addEventListener('click', () => session.cancel());
  goOn.addEventListener('click', () => void session.resume());
  session.status$.subscribe((status) => {
    stop.disabled = status !== 'running';
    goOn.hidden = !['interrupted', 'failed', 'limit'].includes(status);
  });
  session.state$.subscribe(({ messages, queue, run }) => {
    const shown = [...messages, ...queue.map(({ message }) => message)];
    const rows = shown.map(({ role, content }) =>
      Object.assign(document.createElement('p'), { className: role, textContent: extractTextContent(content) }));
    list.replaceChildren(...rows);
    problem.textContent = run?.error?.message ?? '';
  });
  session.retrying$.subscribe((retry) => {
    if (retry) problem.textContent = `${retry.error.message} The message is sent again.`;
  });
  session.storage$.subscribe((storage) => {
    if ('error' in storage) problem.textContent = storage.error.message;
  });
}).catch((error) => (problem.textContent = toAgentError(error).message));
