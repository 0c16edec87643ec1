import { Observable } from 'rxjs';
import { AgentError, toAgentError } from '../core/error.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createReview, type Review, type ReviewOptions } from './create-review.ts';

/**
 * Emits a review of a stored session, and after each change a review of the longer log that continues the one before. Only reads: a session
 * that runs in another tab is followed, and one whose tab has vanished stays as it is.
 *
 * Errors with `SESSION_NOT_FOUND`, or with the `AgentError` of the store.
 */
export function followSession(
  store: Pick<SessionStore, 'read' | 'changes$'>,
  sessionId: string,
  options: Omit<ReviewOptions, 'continues'> = {},
): Observable<Review> {
  return new Observable((subscriber) => {
    let review: Review | undefined;
    let isReading = false;
    /** Whether the session has changed since the read under way began. */
    let isStale = false;

    async function readOnce(): Promise<void> {
      const stored = await store.read(sessionId);
      if (subscriber.closed) return;
      if (stored === undefined)
        throw new AgentError(`The store has no session ${sessionId}.`, { code: 'SESSION_NOT_FOUND' });
      review = createReview(stored.events, { ...options, ...(review && { continues: review }) });
      subscriber.next(review);
    }

    async function read(): Promise<void> {
      isStale = true;
      if (isReading) return;
      isReading = true;
      while (isStale && !subscriber.closed) {
        isStale = false;
        await readOnce();
      }
      isReading = false;
    }

    function readSafely(): void {
      read().catch((thrown: unknown) => subscriber.error(toAgentError(thrown, 'STORAGE_FAILED')));
    }

    subscriber.add(store.changes$.subscribe((changed) => changed === sessionId && readSafely()));
    subscriber.add(() => review?.pause());
    readSafely();
  });
}
