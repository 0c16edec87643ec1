import { createAgent, extractTextContent, type LLMClient } from 'brooklet';

export async function ask(client: LLMClient, question: string): Promise<string> {
  await using agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  const { message, error } = await session.send(question);
  if (error) throw error;
  return message ? extractTextContent(message) : '';
}
