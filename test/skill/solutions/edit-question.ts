import { type AgentSession, extractTextContent } from 'brooklet';

export async function rephrase(session: AgentSession, text: string): Promise<string> {
  const question = session.getMessages().findLast(({ role }) => role === 'user');
  if (!question) throw new Error('There is no question.');
  const { message, error } = await session.edit(question.id, text);
  if (error) throw error;
  return message ? extractTextContent(message) : '';
}
