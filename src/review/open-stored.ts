import { catchError, combineLatest, defer, EMPTY, map, type Observable } from 'rxjs';
import { fail } from '../core/error.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createAnnotations } from './annotations.ts';
import { followSession } from './follow-session.ts';
import type { OpenSession, ReviewedSession } from './open-session.ts';
import { beginOfOpenRun } from './read-log.ts';

type ReviewedStore = Pick<SessionStore, 'read' | 'changes$' | 'meta'>;

/**
 * Returns a function that opens the sessions of a store, for a review of a tree: `ReviewView` and `usageBelow` take it. Nothing is read before a
 * session is opened. A session is only read, and followed while it runs, in this tab or another one.
 *
 *     <ReviewView log={stored.events} openSession={createStoreOpener(store)} />
 *
 * @throws AgentError `INVALID_CONFIG` for what is no store
 */
export function createStoreOpener(store: ReviewedStore): OpenSession {
  if (!('read' in Object(store)))
    return fail('INVALID_CONFIG', 'createStoreOpener takes a store: `createIndexedDBStore()`, or `agent.store`.');
  return (sessionId) => openStored(store, sessionId);
}

function openStored(store: ReviewedStore, sessionId: string): Observable<ReviewedSession> {
  return defer(() => {
    // Notes that cannot be read are left out: the session matters more.
    const notes$ = createAnnotations({ store, sessionId }).list$.pipe(catchError(() => EMPTY));
    return combineLatest([followSession(store, sessionId), notes$]).pipe(
      map(([review, annotations]) => ({
        review,
        isLive: beginOfOpenRun(review.events) !== Infinity,
        ...(annotations.length > 0 && { annotations }),
      })),
    );
  });
}
