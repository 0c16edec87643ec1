import { createAgent } from 'brooklet';

const agent = createAgent({
  client,
  tools,
  maxSteps: 20,
  budget: { tokens: 100_000, time: 5 * 60_000 },
  stopWhen: ({ usage }) => usage.output > 20_000,
});

const session = await agent.openSession(sessionId);
const { outcome } = await session.send('Sort my notes.');
if (outcome === 'limit' && confirm(`Go on? The run reached the limit ${session.getState().run?.limit}.`))
  await session.resume();

declare const client: LLMClient;
declare const tools: readonly Tool[];
declare const sessionId: string;

// What the sample leaves to its page.
import type { LLMClient, Tool } from 'brooklet';
