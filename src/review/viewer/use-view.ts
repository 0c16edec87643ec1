import { useLayoutEffect, useState } from 'preact/hooks';
import type { Review } from '../create-review.ts';
import type { ReviewView } from '../player.ts';

/** Returns what the review shows at its position. */
export function useView(review: Review): ReviewView {
  const [view, setView] = useState(() => review.getView());
  // At once: a log that grows has another review.
  useLayoutEffect(() => {
    const subscription = review.view$.subscribe(setView);
    return () => subscription.unsubscribe();
  }, [review]);
  return view;
}
