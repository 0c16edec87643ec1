import { fromEvent, Subject } from 'rxjs';

/** Emits when the address changes. The address contains the selected session: reload, bookmarks and the back button work. */
export const route$ = fromEvent<HashChangeEvent>(window, 'hashchange');

/** The address that the page has last set by itself; `undefined` after the event of it. */
let own: string | undefined;
const visits = new Subject<void>();
route$.subscribe(({ newURL }) => {
  const isOwn = newURL === own;
  own = undefined;
  if (!isOwn) visits.next();
});

/** Emits when the person has gone to another page: by Back, Forward, a link or the address. */
export const visit$ = visits.asObservable();

/** Changes the address: no visit of the person. */
function change(act: () => void): void {
  act();
  own = location.href;
}

/** Returns the id of the session in the address: `#/s/<session>`, or `#/s/<session>/<call>`. */
export function getSessionId(): string | undefined {
  return decode(/^#\/s\/([^/]+)(?:\/[^/]+)?$/u.exec(location.hash)?.[1]);
}

/** Returns the id of the call in the address, which the conversation shows at first. */
export function getCallId(): string | undefined {
  return decode(/^#\/s\/[^/]+\/([^/]+)$/u.exec(location.hash)?.[1]);
}

function decode(id: string | undefined): string | undefined {
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** Returns what the address reviews, after `#/review/` and `shared/…` for a link to a shared conversation; `undefined` for any other page. See `parseMoment`. */
export function getReviewPath(): string | undefined {
  const [, review, shared] = /^#\/(?:review(?=\/|$)\/?([^/]*)|(shared\/.*))$/u.exec(location.hash) ?? [];
  return review ?? shared;
}

/** A session under review, and a moment of it. */
export interface Moment {
  /** Missing for a file, which has no address. */
  readonly sessionId?: string;
  /** Missing for the end of the session. */
  readonly seq?: number;
}

/** Parses `<id>` or `<id>@<seq>`. */
export function parseMoment(path: string): Moment {
  const [, id = '', seq] = /^([^@]*)(?:@(\d{1,15}))?$/u.exec(path) ?? [];
  try {
    return {
      ...(id !== '' && { sessionId: decodeURIComponent(id) }),
      ...(seq !== undefined && { seq: Number(seq) }),
    };
  } catch {
    return {};
  }
}

/** Returns the address of a review, at its end or at a moment. */
export function reviewHref({ sessionId = '', seq }: Moment): string {
  return `#/review/${encodeURIComponent(sessionId)}${seq === undefined ? '' : `@${seq}`}`;
}

/** Returns the address of a session, or of a new conversation. */
export function sessionHref(sessionId: string | undefined): string {
  return sessionId === undefined ? '#/' : `#/s/${encodeURIComponent(sessionId)}`;
}

/** Returns the address of a call in a session. */
export function callHref(sessionId: string, callId: string): string {
  return `${sessionHref(sessionId)}/${encodeURIComponent(callId)}`;
}

/** Shows the page of an address: see `sessionHref` and `reviewHref`. */
export function goToHref(href: string): void {
  change(() => (location.hash = href));
}

/** Shows the session that a new conversation has become, in its place: Back shows what was shown before the new conversation. */
export function becomeSession(sessionId: string): void {
  change(() => location.replace(sessionHref(sessionId)));
}

/** Shows a session, or a new conversation. */
export function goTo(sessionId: string | undefined): void {
  goToHref(sessionHref(sessionId));
}
