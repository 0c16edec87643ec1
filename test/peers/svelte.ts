import type { AgentSession } from 'brooklet';
import { readable } from 'svelte/store';

export const messagesOf = (session: AgentSession) =>
  readable(session.getMessages(), (set) => {
    const subscription = session.messages$.subscribe(set);
    return () => subscription.unsubscribe();
  });
