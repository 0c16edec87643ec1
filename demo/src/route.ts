import { fromEvent } from 'rxjs';

/** The selected session is in the address, so that a reload, a bookmark and the back button bring it back. */
export const route$ = fromEvent(window, 'hashchange');

export function getSessionId(): string | undefined {
  const id = /^#\/s\/([^/]+)$/u.exec(location.hash)?.[1];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

export function sessionHref(sessionId: string | undefined): string {
  return sessionId === undefined ? '#/' : `#/s/${encodeURIComponent(sessionId)}`;
}

export function goTo(sessionId: string | undefined): void {
  location.hash = sessionHref(sessionId);
}
