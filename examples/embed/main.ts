import { createAgent, defineTool, extractTextContent, fingerprintOf, type Message, toolParts } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { addComposer, createElement, showMessages } from '../shared/chat';

// The app: a list of orders, and a route that filters it. It knows nothing of the assistant.
const orders = new Map([
  ['A-1', 'open'],
  ['A-2', 'paid'],
  ['A-3', 'open'],
]);

function draw(): void {
  const filter = location.hash.slice(1) || 'all';
  for (const link of document.querySelectorAll('nav a'))
    link.toggleAttribute('aria-current', link.getAttribute('href') === `#${filter}`);
  const rows = [...orders].filter(([, status]) => filter === 'all' || status === filter);
  const cell = (textContent: string) => createElement('td', { textContent });
  const table = document.querySelector('table');
  table?.replaceChildren(...rows.map(([id, status]) => createElement('tr', {}, cell(id), cell(status))));
}
addEventListener('hashchange', draw);
draw();

// The assistant: its tools are functions of the app.
const show = defineTool({
  name: 'show_orders',
  description: 'Shows the orders with a status.',
  input: { type: 'object', properties: { status: { enum: ['all', 'open', 'paid'] } }, required: ['status'] },
  execute: ({ status }) => {
    location.hash = String(status);
    return `The orders with the status ${String(status)} are shown.`;
  },
});
const markPaid = defineTool({
  name: 'mark_paid',
  description: 'Marks an order as paid.',
  input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  needsApproval: true,
  execute: ({ id }) => {
    orders.set(String(id), 'paid');
    draw();
    return 'paid';
  },
});

// A script, so that the page needs no key. A model chooses the tools from their descriptions.
const client = createScriptedClient(({ messages }) => {
  const last = messages.at(-1);
  const [call] = last ? toolParts(last) : [];
  if (call) return [reply.text(call.status === 'succeeded' ? 'Done.' : `The call is ${call.status}.`)];
  const text = last ? extractTextContent(last) : '';
  const [id] = /A-\d/.exec(text) ?? [];
  return [
    id ? reply.call('mark_paid', { id }) : reply.call('show_orders', { status: /open|paid/.exec(text)?.[0] ?? 'all' }),
  ];
});
const agent = createAgent({ client, tools: [show, markPaid], store: createIndexedDBStore({ name: 'embed' }) });
const { sessions = [] } = (await agent.store?.list({ limit: 1 })) ?? {};
const session = await agent.openSession(sessions[0]?.id ?? agent.createSession());

function drawCalls(message: Message): readonly Node[] {
  return toolParts(message)
    .filter(({ status }) => status === 'awaiting-approval')
    .map((call) => {
      const onclick = () => void session.approve(call.callId, { fingerprint: fingerprintOf(call) });
      return createElement('button', { textContent: `Allow: ${call.name} ${call.inputText}`, onclick });
    });
}

const list = document.querySelector('main');
if (list) {
  showMessages(session, list, drawCalls);
  addComposer(session, list);
}
