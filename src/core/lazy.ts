import { Observable } from 'rxjs';
import { AgentError } from './error.ts';

/**
 * Loads a part of the package on its first use, so that a page that never uses the part does not load it. After a failure the next call
 * tries again.
 *
 * @returns a function that rejects with AgentError `NETWORK_ERROR` when the part cannot be loaded
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new AgentError(
        'A part of this page could not be loaded. Try again; if that does not help, reload the page.',
        {
          code: 'NETWORK_ERROR',
          cause,
        },
      );
    }));
}

/** Returns an observable that loads its source on each subscription, and errors when the source cannot be loaded. */
export function lazyValues<T>(load: () => Promise<Observable<T>>): Observable<T> {
  return new Observable((subscriber) => {
    load().then(
      (values$) => subscriber.closed || subscriber.add(values$.subscribe(subscriber)),
      (error: unknown) => subscriber.error(error),
    );
  });
}
