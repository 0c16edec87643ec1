import type { Review } from 'brooklet/review';

/** A view of the session, below the timeline. */
export type ViewName = 'moment' | 'steps' | 'calls' | 'usage' | 'context' | 'errors' | 'notes' | 'compare';

/** A view, with the number of things that it lists. */
export interface View {
  readonly name: ViewName;
  readonly label: string;
  readonly count?: number;
}

/** Returns the views of a review in the order of their keys, 1 to 8. */
export function viewsOf({ steps, calls, compactions, errors }: Review, notes: number): readonly View[] {
  return [
    { name: 'moment', label: 'Moment' },
    { name: 'steps', label: 'Steps', count: steps.length },
    { name: 'calls', label: 'Tool calls', count: calls.length },
    { name: 'usage', label: 'Tokens' },
    { name: 'context', label: 'Compactions', count: compactions.length },
    { name: 'errors', label: 'Errors', count: errors.length },
    { name: 'notes', label: 'Notes', count: notes },
    { name: 'compare', label: 'Compare' },
  ];
}
