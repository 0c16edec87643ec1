import type { AgentSession } from 'brooklet';

/** Removes a message and all later ones, the last first: no reply ever stands without its question. */
export function removeFrom(session: AgentSession, messageId: string): void {
  const messages = session.getMessages();
  const first = messages.findIndex(({ id }) => id === messageId);
  if (first < 0) return;
  for (const { id } of messages.slice(first).toReversed()) session.removeMessage(id);
}
