import { createAgent, defineTool } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';

export const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: { type: 'object', properties: { invoice: { type: 'string' }, amount: { type: 'number' } } },
  needsApproval: true,
  execute: ({ invoice }) => `Paid ${String(invoice)}.`,
});

export const agent = createAgent({
  client: createProviderClient(openai, { model: 'gpt-5-mini', apiKey: 'sk-test' }),
  store: createIndexedDBStore(),
  tools: [pay],
});
