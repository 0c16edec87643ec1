import { useObservable } from 'brooklet/react';
import { fromEvent } from 'rxjs';

const narrow = matchMedia('(max-width: 52rem)');
const change$ = fromEvent(narrow, 'change');

/** Whether the sessions are in a drawer: the same bound as in layout.css. */
export function useIsNarrow(): boolean {
  return useObservable(change$, () => narrow.matches);
}
