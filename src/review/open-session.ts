import { map, type Observable, throwError } from 'rxjs';
import { AgentError, fail } from '../core/error.ts';
import type { Annotation } from '../core/model/annotation.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { Review } from './create-review.ts';
import { reviewOfLog } from './reviews-of.ts';

/** A session of a tree, as it is reviewed. */
export interface ReviewedSession {
  readonly review: Review;
  /** Notes of reviewers; missing where there are none. */
  readonly annotations?: readonly Annotation[];
  /** Whether a run had not ended when the session was read. Missing for a session of a file. */
  readonly isLive?: boolean;
}

/**
 * Opens a session of a tree by its id (`ReviewCall.session`, `SessionState.path`). Emits the session, and again when its log or its notes have
 * changed. Errors with AgentError `SESSION_NOT_FOUND` where there is no such session.
 */
export type OpenSession = (sessionId: string) => Observable<ReviewedSession>;

/** A session of a file: what `readExport` of `brooklet/storage` returns in `sessions`. */
export interface LoggedSession {
  readonly id: string;
  /** In the order of `seq`. */
  readonly events: readonly SessionEvent[];
  readonly annotations?: readonly Annotation[];
}

/**
 * Returns a function that opens the sessions of a file, for a review of a tree: `ReviewView` and `usageBelow` take it. A review is made when a session
 * is opened.
 *
 *     const { sessions } = await readExport(file);
 *     <ReviewView log={sessions[0].events} openSession={createFileOpener(sessions)} />
 *
 * @throws AgentError `INVALID_CONFIG` for what is not a list
 */
export function createFileOpener(sessions: readonly LoggedSession[]): OpenSession {
  if (!Array.isArray(sessions))
    return fail('INVALID_CONFIG', 'createFileOpener takes the `sessions` that `readExport` returns.');
  const byId = new Map<string, LoggedSession>(sessions.map((session: LoggedSession) => [session.id, session]));
  return (sessionId) => openLogged(byId.get(sessionId), sessionId);
}

function openLogged(session: LoggedSession | undefined, sessionId: string): Observable<ReviewedSession> {
  if (session === undefined)
    return throwError(() => new AgentError(`The file has no session ${sessionId}.`, { code: 'SESSION_NOT_FOUND' }));
  const { events, annotations } = session;
  return reviewOfLog(events).pipe(map((review) => ({ review, ...(annotations && { annotations }) })));
}
