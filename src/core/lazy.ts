import { Observable } from 'rxjs';
import { AgentError } from './error.ts';

/**
 * Loads a part of the package when it is first needed, so that pages which never do need not carry it. What could not be loaded is
 * tried again by the next who asks.
 *
 * @returns a function that rejects with AgentError `NETWORK_ERROR` where the part cannot be had
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

/** The values of a part that is loaded when somebody subscribes to them. */
export function lazyValues<T>(load: () => Promise<Observable<T>>): Observable<T> {
  return new Observable((subscriber) => {
    load().then(
      (values$) => subscriber.closed || subscriber.add(values$.subscribe(subscriber)),
      (error: unknown) => subscriber.error(error),
    );
  });
}
