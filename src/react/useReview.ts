import { useContext, useMemo } from 'react';
import type { AgentError } from '../core/error.ts';
import type { Review } from '../review/create-review.ts';
import type { ReviewView } from '../review/player.ts';
import type { ReviewSource } from '../review/reviews-of.ts';
import { AgentContext } from './AgentContext.ts';
import { createReviewOpening, type Opened } from './reviewOpening.ts';
import { useObservable } from './useObservable.ts';

export type { ReviewSource } from '../review/reviews-of.ts';

/** Result of `useReview`. */
export interface UseReviewResult {
  /** The review, once its code and the log are loaded. Another object when the log has grown. */
  readonly review: Review | undefined;
  /** What the review shows at its position. */
  readonly view: ReviewView | undefined;
  /** Why there is no review: `SESSION_NOT_FOUND`, or the store's error. */
  readonly error: AgentError | undefined;
  readonly isLoading: boolean;
}

const nothing: Opened = {};

/**
 * Returns a review of a stored session, or of a log: pass the id of a session in the agent's store, or events, always the same array for the
 * same log. A stored session is only read, and followed while it runs in another tab. Unmounting pauses the review. Works without an
 * `AgentProvider` for a log.
 *
 *     const { review, view } = useReview(sessionId);
 *     if (view) return <Messages messages={view.state.messages} onNext={() => review?.move(1)} />;
 */
export function useReview(source: ReviewSource | undefined): UseReviewResult {
  const store = useContext(AgentContext)?.store;
  const opening = useMemo(
    () => (source === undefined ? undefined : createReviewOpening(source, store)),
    [source, store],
  );
  const { review, error } = useObservable(opening?.changes$, () => opening?.getOpened() ?? nothing);
  const view = useObservable(review?.view$, () => review?.getView());
  return { review, view, error, isLoading: source !== undefined && review === undefined && error === undefined };
}
