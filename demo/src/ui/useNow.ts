import { useObservable } from 'brooklet/react';
import { interval } from 'rxjs';

const second$ = interval(1_000);

/** Returns the ms since the epoch, in whole seconds. Renders its component once a second: use it in small components. */
export function useNow(): number {
  return useObservable(second$, () => Math.floor(Date.now() / 1_000) * 1_000);
}
