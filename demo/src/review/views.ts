import type { Review } from 'brooklet/review';

/** A view of the session, below the timeline. */
export type ViewName = 'moment' | 'steps' | 'calls' | 'usage' | 'context' | 'errors' | 'notes' | 'compare';

/** A view, with the number of things that it lists. */
export interface View {
  readonly name: ViewName;
  readonly count?: number;
}

/** Returns the views of a review in the order of their keys, 1 to 8. */
export function viewsOf({ steps, calls, compactions, errors }: Review, notes: number): readonly View[] {
  return [
    { name: 'moment' },
    { name: 'steps', count: steps.length },
    { name: 'calls', count: calls.length },
    { name: 'usage' },
    { name: 'context', count: compactions.length },
    { name: 'errors', count: errors.length },
    { name: 'notes', count: notes },
    { name: 'compare' },
  ];
}
