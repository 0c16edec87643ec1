import { Observable } from 'rxjs';
import { createEmitter } from '../core/emitter.ts';
import { type AgentError, toAgentError } from '../core/error.ts';
import { lazy, lazyValues } from '../core/lazy.ts';
import type { SessionStore } from '../core/model/store.ts';
import type { Review } from '../review/create-review.ts';
import type { ReviewSource } from '../review/reviews-of.ts';

const load = lazy(() => import('../review/reviews-of.ts'));

/**
 * Loads the code of reviews, so that `useReview` works later without the network. Rejects with `MODULE_UNAVAILABLE` where the code cannot be
 * loaded.
 */
export async function preloadReview(): Promise<void> {
  await load();
}

/** A review that is being loaded or followed. */
export interface Opened {
  readonly review?: Review;
  readonly error?: AgentError;
}

/** The loading of a review, shared by the renders of one component. */
export interface ReviewOpening {
  /** Subscribing loads the review, and follows a stored session. Emits when the result of `getOpened` has changed. */
  readonly changes$: Observable<void>;
  getOpened(): Opened;
}

/** Creates the loading of a review. The code of reviews is loaded on subscription. */
export function createReviewOpening(source: ReviewSource, store: SessionStore | undefined): ReviewOpening {
  const changes = createEmitter<void>();
  let opened: Opened = {};

  function set(next: Opened): void {
    opened = next;
    changes.next();
  }

  return {
    getOpened: () => opened,
    changes$: new Observable((subscriber) => {
      subscriber.add(changes.stream$.subscribe(subscriber));
      subscriber.add(
        lazyValues(async () => (await load()).reviewsOf(source, store)).subscribe({
          next: (review) => set({ review }),
          // The last review stays: the session may have been removed meanwhile.
          error: (thrown: unknown) => set({ ...opened, error: toAgentError(thrown) }),
        }),
      );
    }),
  };
}
