import { useChat } from 'brooklet/react';
import { useSyncExternalStore } from 'react';

const read = () => new URLSearchParams(location.search).get('chat') ?? undefined;
const addressOf = (sessionId?: string) =>
  sessionId === undefined ? location.pathname : `?chat=${encodeURIComponent(sessionId)}`;

function follow(onChange: () => void) {
  addEventListener('popstate', onChange); // Back and Forward
  return () => removeEventListener('popstate', onChange);
}

/** Shows another conversation, or without an id a new one. A step of the history: Back returns. */
export function show(sessionId?: string): void {
  history.pushState(null, '', addressOf(sessionId));
  dispatchEvent(new PopStateEvent('popstate')); // the browser reports Back and Forward only
}

export function useChatOfAddress() {
  const sessionId = useSyncExternalStore(follow, read, () => undefined);
  return useChat({
    sessionId,
    create: true, // also where the page was left before the conversation was stored
    onSessionCreated: (id) => history.replaceState(null, '', addressOf(id)),
  });
}
