import { Agent, run, tool } from '@openai/agents';
import { z } from 'zod';

const pay = tool({
  name: 'pay',
  description: 'Pays an invoice.',
  parameters: z.object({ invoice: z.string(), amount: z.number() }),
  needsApproval: true,
  execute: ({ invoice, amount }) => `Paid ${amount} for ${invoice}.`,
});
const agent = new Agent({ name: 'Clerk', model: 'gpt-5-mini', tools: [pay] });

export async function payInvoice() {
  let result = await run(agent, 'Pay 20 for invoice A-17.');
  for (const call of result.interruptions) result.state.approve(call);
  result = await run(agent, result.state); // the state is yours to store: result.state.toString()
  return result.finalOutput;
}
