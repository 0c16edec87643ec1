import { chat, toolDefinition, toServerSentEventsResponse } from '@tanstack/ai';
import { openaiText } from '@tanstack/ai-openai';
import { z } from 'zod';

export const payDefinition = toolDefinition({
  name: 'pay',
  description: 'Pays an invoice.',
  inputSchema: z.object({ invoice: z.string(), amount: z.number() }),
  needsApproval: true,
});
const pay = payDefinition.server(({ invoice, amount }) => `Paid ${amount} for ${invoice}.`);

export async function POST(request: Request) {
  const { messages } = await request.json();
  return toServerSentEventsResponse(chat({ adapter: openaiText('gpt-5-mini'), messages, tools: [pay] }));
}
