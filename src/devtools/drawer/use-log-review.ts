import { useMemo, useState } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import { createReview, type Review } from '../../review/create-review.ts';

/** Returns the review of a log that grows: each continues the one before. */
export function useLogReview(events: readonly SessionEvent[]): Review {
  const [review] = useState(createContinued);
  return useMemo(() => review(events), [review, events]);
}

function createContinued(): (events: readonly SessionEvent[]) => Review {
  let last: Review | undefined;
  return (events) => (last = createReview(events, last && { continues: last }));
}
