import { extractTextContent, fingerprintOf, type Message, toolParts } from 'brooklet';
import { agent } from './agent';
import './style.css';

// The id of the conversation is in the address, so that a reload shows it again.
location.hash ||= agent.createSession();
const session = await agent.openSession(location.hash.slice(1));

function createElement(name: string, properties: object, ...children: Node[]) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function showCalls(message: Message) {
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

const list = document.querySelector('main');
session.messages$.subscribe((messages) => {
  const rows = messages.flatMap((message) => [
    createElement('article', {
      className: message.role,
      ariaLabel: message.role === 'user' ? 'You' : 'Agent',
      textContent: extractTextContent(message),
    }),
    ...showCalls(message),
  ]);
  list?.replaceChildren(...rows);
});

const input = document.querySelector('input');
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!input) return;
  void session.send(input.value, { whenBusy: 'queue' });
  input.value = '';
});
