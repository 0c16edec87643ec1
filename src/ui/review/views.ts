import type { Review } from '../../review/index.ts';
import type { ReviewViewName, ReviewViewProps } from './props.ts';

/** A view, with the number of things that it lists. */
export interface OfferedView {
  readonly name: ReviewViewName;
  readonly count?: number | undefined;
}

const all: readonly ReviewViewName[] = ['moment', 'steps', 'calls', 'usage', 'context', 'errors', 'notes', 'compare'];

/** Returns the views that a review offers, in the order of their keys. Notes that cannot be written are offered where there are some. */
export function viewsOf(
  review: Review,
  { views = all, annotations = [], onAnnotate }: Pick<ReviewViewProps, 'views' | 'annotations' | 'onAnnotate'>,
): readonly OfferedView[] {
  const offered = onAnnotate === undefined && annotations.length === 0 ? views.filter((one) => one !== 'notes') : views;
  return offered.map((name) => ({ name, count: countOf(name, review, annotations.length) }));
}

function countOf(name: ReviewViewName, review: Review, notes: number): number | undefined {
  switch (name) {
    case 'steps':
      return review.steps.length;
    case 'calls':
      return review.calls.length;
    case 'context':
      return review.compactions.length;
    case 'errors':
      return review.errors.length;
    case 'notes':
      return notes;
    default:
      return undefined;
  }
}
