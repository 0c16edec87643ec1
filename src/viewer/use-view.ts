import { useEffect, useState } from 'preact/hooks';
import type { Review } from '../review/create-review.ts';
import type { ReviewView } from '../review/player.ts';

/** Returns what the review shows at its position. */
export function useView(review: Review): ReviewView {
  const [view, setView] = useState(() => review.getView());
  useEffect(() => {
    const subscription = review.view$.subscribe(setView);
    return () => subscription.unsubscribe();
  }, [review]);
  return view;
}
