import { useObservable } from 'brooklet/react';
import { interval } from 'rxjs';

const minute$ = interval(60_000);

/** Returns the start of today, in ms since the epoch; changes at midnight. */
export function useToday(): number {
  return useObservable(minute$, () => new Date().setHours(0, 0, 0, 0));
}
