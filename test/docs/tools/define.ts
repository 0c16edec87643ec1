import { createAgent, defineTool } from 'brooklet';
import { z } from 'zod'; // or valibot, arktype, or plain JSON Schema

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string(), amount: z.number().positive() }),
  output: z.object({ receipt: z.string() }),
  needsApproval: ({ amount }) => amount > 10,
  approvalTimeout: 24 * 60 * 60_000,
  timeout: 30_000,
  idempotent: true,
  execute: ({ invoice, amount }, { signal, idempotencyKey }) => bank.pay(invoice, amount, { signal, idempotencyKey }),
  present: ({ invoice, amount }) => ({ summary: `Paid ${amount} for ${invoice}` }),
});

const agent = createAgent({ client, tools: [pay] });

declare const client: LLMClient;
declare const bank: {
  pay(
    invoice: string,
    amount: number,
    options: { readonly signal: AbortSignal; readonly idempotencyKey: string },
  ): Promise<{ readonly receipt: string }>;
};

// What the sample leaves to its page.
import type { LLMClient } from 'brooklet';

export { agent };
