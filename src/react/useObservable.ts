import type { Observable } from 'rxjs';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * What `getSnapshot` gives, now and after each change that the Observable tells of: the one subscription of all hooks.
 *
 * `getSnapshot` must give the same reference for as long as nothing changed, as every getter beside an `x$` does.
 * It is asked on the server, too.
 *
 *     const status = useObservable(session.status$, session.getStatus);
 */
export function useObservable<T>(changes$: Observable<unknown> | undefined, getSnapshot: () => T): T {
  const subscribe = useCallback(
    (onChange: () => void) => {
      // A stream that ends may mean that there is something else to see now.
      const subscription = changes$?.subscribe({ next: onChange, error: onChange, complete: onChange });
      return () => subscription?.unsubscribe();
    },
    [changes$],
  );
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}
