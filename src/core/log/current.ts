import { Observable } from 'rxjs';

/**
 * A value and how it changes: a new subscriber gets the present one at once, then each new one (by `===`).
 *
 * @param changes$ says that the value may have changed; its end is the end of this one too
 */
export function current<T>(changes$: Observable<unknown>, get: () => T): Observable<T> {
  return new Observable((subscriber) => {
    let last: unknown = changes$;
    const look = (): void => {
      const value = get();
      if (value === last) return;
      last = value;
      subscriber.next(value);
    };
    // Listening comes first: whoever is told may change the value.
    subscriber.add(changes$.subscribe({ next: look, complete: () => subscriber.complete() }));
    look();
  });
}

/** Resolves as soon as a stream has given a value that fits, or has ended. */
export function when<T>(values$: Observable<T>, fits: (value: T) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = values$.subscribe({
      next: (value) => {
        if (!fits(value)) return;
        resolve();
        // The first value may come before there is a subscription.
        queueMicrotask(() => subscription.unsubscribe());
      },
      complete: resolve,
    });
  });
}
