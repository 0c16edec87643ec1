import { createAgent, type LLMClient } from 'brooklet';

/** Has the reasoning in its answer, and resolves where a run failed. */
export async function ask(client: LLMClient, question: string): Promise<string> {
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const { message } = await session.send(question);
  return message?.content.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
}
