import { useObservable } from 'brooklet/react';
import { fromEvent } from 'rxjs';

const narrow = matchMedia('(max-width: 52rem)');
const change$ = fromEvent(narrow, 'change');

/** Returns whether the sessions are in a drawer. The same width is in layout.css. */
export function useIsNarrow(): boolean {
  return useObservable(change$, () => narrow.matches);
}
