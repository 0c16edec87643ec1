import { useObservable } from 'brooklet/react';
import { interval } from 'rxjs';

const second$ = interval(1_000);

/** ms since the epoch, in whole seconds: renders its component once a second, so keep that small. */
export function useNow(): number {
  return useObservable(second$, () => Math.floor(Date.now() / 1_000) * 1_000);
}
