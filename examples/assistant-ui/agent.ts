import { createAgent, defineTool, toolParts } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'paid',
});
// A script, so that the page needs no key: it asks for a payment, then states slowly how the call ended.
const client = createScriptedClient(({ messages }) => {
  const [call] = messages.slice(-1).flatMap(toolParts);
  if (!call) return [reply.reasoning('The user wants to pay.'), reply.call('pay', { amount: 40 })];
  return [reply.text(`The payment is ${call.status}. That is all that I can tell.`, { size: 2, ms: 40 })];
});
export const agent = createAgent({ client, tools: [pay], store: createIndexedDBStore({ name: 'assistant-ui' }) });
