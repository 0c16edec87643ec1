import { type AgentSession, extractTextContent } from 'brooklet';

/** Loses the earlier question. */
export async function rephrase(session: AgentSession, text: string): Promise<string> {
  const question = session.getMessages().findLast(({ role }) => role === 'user');
  if (!question) throw new Error('There is no question.');
  session.updateMessage(question.id, (message) => ({ ...message, content: [{ type: 'text', text }] }));
  const { message } = await session.regenerate();
  return message ? extractTextContent(message) : '';
}
