import { named } from '../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { toAgentError } from '../core/error.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createReview, type Review, type ReviewOptions } from './create-review.ts';
import { createLogReader } from './read-log.ts';
import { repeatable } from './repeatable.ts';

/**
 * Emits a review of a stored session, and after each change a review of the longer log that continues the one before. Only reads: a session
 * that runs in another tab is followed, and one whose tab has vanished stays as it is. Each event is read once, those of a run again when
 * the run has ended.
 *
 * Errors with `SESSION_NOT_FOUND`, or with the `AgentError` of the store.
 */
export function followSession(
  store: Pick<SessionStore, 'read' | 'changes$'>,
  sessionId: string,
  options: Omit<ReviewOptions, 'continues'> = {},
): Observable<Review> {
  named(options, { cost: true, ports: true }, 'followSession');
  return new Observable((subscriber) => {
    const readLog = createLogReader(store, sessionId);
    let review: Review | undefined;

    const read = repeatable(async () => {
      if (subscriber.closed) return;
      const events = await readLog();
      if (subscriber.closed) return;
      review = createReview(events, { ...options, ...(review && { continues: review }) });
      subscriber.next(review);
    });

    function readSafely(): void {
      read().catch((thrown: unknown) => subscriber.error(toAgentError(thrown, 'STORAGE_FAILED')));
    }

    subscriber.add(store.changes$.subscribe((changed) => changed === sessionId && readSafely()));
    subscriber.add(() => review?.pause());
    readSafely();
  });
}
