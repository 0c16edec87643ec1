import { fromEvent } from 'rxjs';

/** Emits when the address changes. The address contains the selected session: reload, bookmarks and the back button work. */
export const route$ = fromEvent(window, 'hashchange');

/** Returns the id of the session in the address. */
export function getSessionId(): string | undefined {
  const id = /^#\/s\/([^/]+)$/u.exec(location.hash)?.[1];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** Returns the address of a session, or of a new conversation. */
export function sessionHref(sessionId: string | undefined): string {
  return sessionId === undefined ? '#/' : `#/s/${encodeURIComponent(sessionId)}`;
}

/** Shows a session, or a new conversation. */
export function goTo(sessionId: string | undefined): void {
  location.hash = sessionHref(sessionId);
}
