import { createAgent, extractTextContent, toAgentError } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

// A script, so that the page needs no key. A model instead: createProviderClient(ollama, { model: 'llama3.2' }) of brooklet/providers.
const client = createScriptedClient(({ messages }) => [
  reply.text(`You said “${extractTextContent(messages.at(-1))}”.`, { size: 3, ms: 20 }),
]);
const agent = createAgent({ client, store: createIndexedDBStore({ name: 'plain' }) });

// The id of the conversation is in the address: it survives a reload, and Back returns to the last one.
const id = location.hash.slice(1) || agent.createSession();
history.replaceState(null, '', `#${id}`);
addEventListener('hashchange', () => location.reload());
const opening = agent.openSession(id, { create: true }); // also where the page was left before it was stored

const list = document.querySelector('main');
const problem = document.querySelector('[role=alert]');
const form = document.querySelector('form');
const input = document.querySelector('input');
const stop = document.querySelector('#stop');
const goOn = document.querySelector('#go-on');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (input.value.trim() === '') return;
  try {
    const session = await opening;
    void session.send(input.value, { whenBusy: 'queue' }); // throws where the message is refused
    input.value = '';
  } catch (error) {
    problem.textContent = toAgentError(error).message;
  }
});

// In a function: in Safari a module that others import must not wait at its top level.
async function follow() {
  try {
    const session = await opening;
    stop.addEventListener('click', () => session.cancel());
    goOn.addEventListener('click', () => void session.resume());
    session.status$.subscribe((status) => {
      stop.disabled = status !== 'running';
      goOn.hidden = !['interrupted', 'failed', 'limit'].includes(status);
    });
    session.state$.subscribe(({ messages, queue, run }) => {
      const rows = [...messages, ...queue.map(({ message }) => message)].map((message) => {
        const row = document.createElement('article');
        row.className = message.role;
        row.textContent = extractTextContent(message);
        return row;
      });
      list.replaceChildren(...rows);
      problem.textContent = run?.error?.message ?? '';
    });
    session.retrying$.subscribe((retry) => {
      if (retry) problem.textContent = `${retry.error.message} The message is sent again.`;
    });
    session.storage$.subscribe((storage) => {
      if ('error' in storage) problem.textContent = storage.error.message;
    });
  } catch (error) {
    problem.textContent = toAgentError(error).message;
  }
}
void follow();
