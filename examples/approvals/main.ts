import { createAgent, defineTool, toolParts } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { drawDecisions, openFromAddress, showMessages } from '../shared/chat';

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  needsApproval: true,
  execute: () => 'paid',
});

// A script, so that the page needs no key: it asks for a payment, then reads how the call ended.
const client = createScriptedClient(({ messages }) => {
  const last = messages.at(-1);
  const [call] = last ? toolParts(last) : [];
  return [call ? reply.text(`The payment is ${call.status}.`) : reply.call('pay', { amount: 40 })];
});
const agent = createAgent({ client, tools: [pay], store: createIndexedDBStore({ name: 'approvals' }) });
const session = await openFromAddress(agent);

const list = document.querySelector('main');
if (list)
  showMessages(session, list, (message) =>
    drawDecisions(session, message, ({ name, inputText }) => `${name} ${inputText}`),
  );
document.querySelector('a')?.setAttribute('href', location.href);
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void session.send('Pay the invoice.', { whenBusy: 'queue' });
});
