import { type AgentSession, extractTextContent } from 'brooklet';

/** Shows only what has been completed. */
export function follow(session: AgentSession, show: (text: string) => void): () => void {
  const subscription = session.messages$.subscribe((messages) => {
    const message = messages.at(-1);
    if (message && message.status !== 'streaming') show(extractTextContent(message));
  });
  return () => subscription.unsubscribe();
}
