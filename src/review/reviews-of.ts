import { Observable } from 'rxjs';
import { fail } from '../core/error.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionStore } from '../core/model/store.ts';
import { createReview, type Review } from './create-review.ts';
import { followSession } from './follow-session.ts';

/** What a review is made of: the id of a stored session, or the events of a log. */
export type ReviewSource = string | readonly SessionEvent[];

/** Returns the reviews of a source: one of a log, one after the other of a stored session. Never completes. */
export function reviewsOf(source: ReviewSource, store: SessionStore | undefined): Observable<Review> {
  if (typeof source !== 'string') return reviewOfLog(source);
  if (store !== undefined) return followSession(store, source);
  return fail(
    'INVALID_CONFIG',
    `The agent has no store, so session ${source} cannot be reviewed by its id: pass its events.`,
  );
}

/** Returns the review of a log, as the only emission. Never completes; the review is paused when it is unsubscribed. */
export function reviewOfLog(events: readonly SessionEvent[]): Observable<Review> {
  return new Observable((subscriber) => {
    const review = createReview(events);
    subscriber.next(review);
    return () => review.pause();
  });
}
