import type { AgentSession } from 'brooklet';
import { onScopeDispose, shallowRef } from 'vue';

export function useMessages(session: AgentSession) {
  const messages = shallowRef(session.getMessages());
  const subscription = session.messages$.subscribe((value) => (messages.value = value));
  onScopeDispose(() => subscription.unsubscribe());
  return messages;
}
