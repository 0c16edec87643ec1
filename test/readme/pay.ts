import { defineTool } from 'brooklet';
import { z } from 'zod'; // or valibot, arktype, plain JSON Schema

export const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string(), amount: z.number().positive() }),
  needsApproval: ({ amount }) => amount > 10,
  execute: ({ invoice, amount }) => `Paid ${amount} for ${invoice}.`, // call your payment API here
});
