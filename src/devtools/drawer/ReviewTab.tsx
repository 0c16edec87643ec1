import type { ReactElement } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import type { ReviewLabels } from '../../ui/review/labels/english.ts';
import { ReviewView } from '../../ui/review/ReviewView.tsx';

interface ReviewTabProps {
  readonly events: readonly SessionEvent[];
  readonly labels: ReviewLabels;
}

/** The review of the session, as an exported file shows it. */
export function ReviewTab({ events, labels }: ReviewTabProps): ReactElement {
  return <ReviewView log={events} labels={labels} showsPictures={false} />;
}
