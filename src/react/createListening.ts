import type { Subscription } from 'rxjs';
import type { AgentSession } from '../core/session/session.ts';
import { tell } from './chatEvents.ts';
import type { ChatListeners } from './UseChatOptions.ts';

/** Calls the listeners for the events of this session from now on, and of no other session. */
export type Follow = (session: AgentSession | undefined) => void;

/** Creates the listening of one component to one session at a time. */
export function createListening(getListeners: () => ChatListeners): Follow {
  let subscription: Subscription | undefined;

  return (session) => {
    subscription?.unsubscribe();
    const own = session?.events$.subscribe((event) => {
      const { onFinish, onError, onToolCall, onApproval } = getListeners();
      if (!(onFinish ?? onError ?? onToolCall ?? onApproval)) return;
      const state = session.getState();
      // A listener may act on the session: not within the notification of an event.
      queueMicrotask(() => own?.closed || tell(event, state, getListeners()));
    });
    subscription = own;
  };
}
