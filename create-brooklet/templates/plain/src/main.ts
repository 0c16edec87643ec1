import { type AgentSession, extractTextContent, fingerprintOf, type Message, toAgentError, toolParts } from 'brooklet';
import { agent } from './agent';
import './style.css';

// The id of the conversation is in the address: it survives a reload, and Back returns to the last one.
const id = location.hash.slice(1) || agent.createSession();
history.replaceState(null, '', `#${id}`);
addEventListener('hashchange', () => location.reload());
const opening = agent.openSession(id, { create: true }); // also where the page was left before it was stored

function createElement(name: string, properties: object, ...children: Node[]) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function showCalls(session: AgentSession, message: Message) {
  const waiting = toolParts(message).filter(({ status }) => status === 'awaiting-approval');
  return waiting.map((call) => {
    // A second click, or a decision in another tab, comes too late.
    const approve = () => session.approve(call.callId, { fingerprint: fingerprintOf(call) }).catch(console.warn);
    const reject = () => session.reject(call.callId).catch(console.warn);
    return createElement(
      'fieldset',
      {},
      createElement('legend', { textContent: `May the agent run “${call.name}”?` }),
      createElement('pre', { textContent: JSON.stringify(call.input, null, 2) }),
      createElement('button', { textContent: 'Approve', onclick: approve }),
      createElement('button', { textContent: 'Reject', onclick: reject }),
    );
  });
}

function showMessage({ role, content }: Pick<Message, 'role' | 'content'>) {
  const ariaLabel = role === 'user' ? 'You' : 'Agent';
  return createElement('article', { className: role, ariaLabel, textContent: extractTextContent(content) });
}

/** Returns an element of index.html. */
function find<T extends HTMLElement>(selector: string, type: new () => T) {
  const element = document.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`index.html has no ${selector}.`);
}

const list = find('main', HTMLElement);
const problem = find('[role=alert]', HTMLElement);
const form = find('form', HTMLFormElement);
const input = find('input', HTMLInputElement);
const stop = find('#stop', HTMLButtonElement);
const goOn = find('#go-on', HTMLButtonElement);

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
      const rows = messages.flatMap((message) => [showMessage(message), ...showCalls(session, message)]);
      list.replaceChildren(...rows, ...queue.map(({ message }) => showMessage(message)));
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
