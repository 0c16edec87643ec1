import { useMemo, useRef } from 'preact/hooks';
import type { SessionEvent } from '../../core/model/event.ts';
import { createReview, type Review } from '../../review/create-review.ts';

/** Returns the review of a log that grows: each continues the one before. */
export function useLogReview(events: readonly SessionEvent[]): Review {
  const last = useRef<Review | undefined>(undefined);
  return useMemo(() => {
    last.current = createReview(events, last.current && { continues: last.current });
    return last.current;
  }, [events]);
}
