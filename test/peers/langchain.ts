import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { Command, MemorySaver } from '@langchain/langgraph';
import { z } from 'zod';

const pay = tool(({ invoice, amount }) => `Paid ${amount} for ${invoice}.`, {
  name: 'pay',
  description: 'Pays an invoice.',
  schema: z.object({ invoice: z.string(), amount: z.number() }),
});
const agent = createAgent({
  model: 'openai:gpt-5-mini',
  tools: [pay],
  checkpointer: new MemorySaver(),
  middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
});

export async function payInvoice() {
  const config = { configurable: { thread_id: '17' } };
  const result = await agent.invoke({ messages: [{ role: 'user', content: 'Pay 20 for invoice A-17.' }] }, config);
  if (!result.__interrupt__) return result;
  return agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
}
