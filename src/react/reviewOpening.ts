import { from, Observable, of, switchMap } from 'rxjs';
import { createEmitter } from '../core/emitter.ts';
import { AgentError, toAgentError } from '../core/error.ts';
import { lazy } from '../core/lazy.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionStore } from '../core/model/store.ts';
import type { Review } from '../review/create-review.ts';

/** What a review is made of: the id of a stored session, or the events of a log. */
export type ReviewSource = string | readonly SessionEvent[];

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
        reviewsOf(source, store).subscribe({
          next: (review) => set({ review }),
          // The last review stays: the session may have been removed meanwhile.
          error: (thrown: unknown) => set({ ...opened, error: toAgentError(thrown) }),
        }),
      );
    }),
  };
}

function reviewsOf(source: ReviewSource, store: SessionStore | undefined): Observable<Review> {
  const load = lazy(() => import('../review/index.ts'));
  return from(load()).pipe(
    switchMap(({ createReview, followSession }) => {
      if (typeof source !== 'string') return of(createReview(source));
      if (store !== undefined) return followSession(store, source);
      throw new AgentError(`The agent has no store, so session ${source} cannot be reviewed: pass its events.`, {
        code: 'INVALID_CONFIG',
      });
    }),
  );
}
