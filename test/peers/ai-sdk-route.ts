import { openai } from '@ai-sdk/openai';
import { convertToModelMessages, createUIMessageStreamResponse, isStepCount, streamText, tool, toUIMessageStream } from 'ai';
import { z } from 'zod';

const pay = tool({
  description: 'Pays an invoice.',
  inputSchema: z.object({ invoice: z.string(), amount: z.number() }),
  execute: ({ invoice, amount }) => `Paid ${amount} for ${invoice}.`,
});

export async function POST(request: Request) {
  const { messages } = await request.json();
  const { stream } = streamText({
    model: openai('gpt-5-mini'),
    messages: await convertToModelMessages(messages),
    tools: { pay },
    toolApproval: { pay: 'user-approval' },
    stopWhen: isStepCount(20),
  });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) });
}
