import type { Observable } from 'rxjs';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * Returns the value of `getSnapshot`, and reads the value again after each emission of the Observable. All other hooks
 * are built on this one subscription.
 *
 * `getSnapshot` must return the same reference while nothing changed, as every getter beside an `x$` does.
 * `getSnapshot` is called on the server, too.
 *
 *     const status = useObservable(session.status$, session.getStatus);
 */
export function useObservable<T>(changes$: Observable<unknown> | undefined, getSnapshot: () => T): T {
  const subscribe = useCallback(
    (onChange: () => void) => {
      // The snapshot may also change when the stream completes or fails.
      const subscription = changes$?.subscribe({ next: onChange, error: onChange, complete: onChange });
      return () => subscription?.unsubscribe();
    },
    [changes$],
  );
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}
