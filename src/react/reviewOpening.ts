import { defer, Observable, Subject } from 'rxjs';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { SessionStore } from '../core/model/store.ts';
import type { Review } from '../review/create-review.ts';
import { type ReviewSource, reviewsOf } from '../review/reviews-of.ts';

/** A review that is being read or followed. */
export interface Opened {
  readonly review?: Review;
  readonly error?: AgentError;
}

/** The reading of a review, shared by the renders of one component. */
export interface ReviewOpening {
  /** Subscribing reads the review, and follows a stored session. Emits when the result of `getOpened` has changed. */
  readonly changes$: Observable<void>;
  getOpened(): Opened;
}

/** Creates the reading of a review. */
export function createReviewOpening(source: ReviewSource, store: SessionStore | undefined): ReviewOpening {
  const changes = new Subject<void>();
  let opened: Opened = {};

  function set(next: Opened): void {
    opened = next;
    changes.next();
  }

  return {
    getOpened: () => opened,
    changes$: new Observable((subscriber) => {
      subscriber.add(changes.subscribe(subscriber));
      subscriber.add(
        defer(() => reviewsOf(source, store)).subscribe({
          next: (review) => set({ review }),
          // The last review stays: the session may have been removed meanwhile.
          error: (thrown: unknown) => set({ ...opened, error: toAgentError(thrown) }),
        }),
      );
    }),
  };
}
