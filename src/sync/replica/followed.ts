import { Observable, Subscription } from 'rxjs';

/**
 * Emits what `read` returns: on subscription, after each change that names the session, and after each change of all sessions. The same value
 * is emitted once.
 */
export function followed<T>(
  id: string,
  read: () => Promise<T>,
  changes: readonly Observable<string>[],
  all$: Observable<unknown>,
): Observable<T> {
  return new Observable((subscriber) => {
    let last = '';
    let reading = Promise.resolve();
    const look = (): void => {
      reading = reading.then(read).then(
        (value) => {
          const text = JSON.stringify(value);
          if (text !== last) subscriber.next(value);
          last = text;
        },
        // Nothing is emitted while the store cannot be read.
        () => {},
      );
    };
    const listening = new Subscription();
    for (const change$ of changes) listening.add(change$.subscribe((changed) => changed === id && look()));
    listening.add(all$.subscribe(look));
    look();
    return listening;
  });
}
