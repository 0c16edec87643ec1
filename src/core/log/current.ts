import { Observable } from 'rxjs';

/**
 * Returns an observable that emits the current value on subscription, then each new value (by `===`).
 *
 * @param changes$ emits when the value may have changed; when `changes$` completes, the result completes
 */
export function current<T>(changes$: Observable<unknown>, get: () => T): Observable<T> {
  return new Observable((subscriber) => {
    let last: unknown = changes$;
    const emitIfNew = (): void => {
      const value = get();
      if (value === last) return;
      last = value;
      subscriber.next(value);
    };
    // Subscribes before the first value is emitted: a subscriber may change the value when it is notified.
    subscriber.add(changes$.subscribe({ next: emitIfNew, complete: () => subscriber.complete() }));
    emitIfNew();
  });
}

/** Resolves with `true` as soon as the stream has emitted a value that fits, or with `false` when it has completed; never rejects. */
export function when<T>(values$: Observable<T>, fits: (value: T) => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const subscription = values$.subscribe({
      next: (value) => {
        if (!fits(value)) return;
        resolve(true);
        // The first value may be emitted before `subscription` is assigned.
        queueMicrotask(() => subscription.unsubscribe());
      },
      complete: () => resolve(false),
    });
  });
}
