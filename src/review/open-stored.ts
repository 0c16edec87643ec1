import { Observable } from 'rxjs';
import { fail } from '../core/error.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createAnnotations } from './annotations.ts';
import type { Review } from './create-review.ts';
import { followSession } from './follow-session.ts';
import type { OpenSession, ReviewedSession } from './open-session.ts';

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
  return new Observable((subscriber) => {
    const notes = createAnnotations({ store, sessionId });
    let review: Review | undefined;
    const show = (): void => {
      const annotations = notes.getList();
      if (review) subscriber.next({ review, isLive: isLive(review), ...(annotations.length > 0 && { annotations }) });
    };
    const opened = followSession(store, sessionId).subscribe({
      next(next) {
        review = next;
        show();
      },
      error: (thrown: unknown) => subscriber.error(thrown),
    });
    subscriber.add(opened);
    // Notes that cannot be read are left out: the session matters more.
    subscriber.add(notes.list$.subscribe({ next: show, error: () => {} }));
  });
}

function isLive({ events }: Review): boolean {
  return events.findLast(({ type }) => type === 'run.started' || type === 'run.ended')?.type === 'run.started';
}
