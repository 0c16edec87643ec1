import { defineTool } from 'brooklet';

/** Without a schema library: the policy of the page refuses the code that they generate. */
export const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: {
    type: 'object',
    properties: { invoice: { type: 'string' }, amount: { type: 'number' } },
    required: ['invoice', 'amount'],
  },
  needsApproval: true,
  execute: ({ invoice, amount }) => `Paid ${Number(amount)} for ${typeof invoice === 'string' ? invoice : ''}.`,
});
