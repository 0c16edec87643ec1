import { Observable } from 'rxjs';
import { AgentError } from './error.ts';

const message = 'A part of this page could not be loaded: offline, or outdated. Reload the page.';

/**
 * Loads a part of the package on its first use, so that a page that never uses the part does not load it. After a failure the next call
 * tries again.
 *
 * @returns a function that rejects with AgentError `MODULE_UNAVAILABLE` when the part cannot be loaded, and with the AgentErrors of `load`
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause instanceof AgentError ? cause : new AgentError(message, { code: 'MODULE_UNAVAILABLE', cause });
    }));
}

/** A part of the package that is loaded once and then kept. */
export interface Loadable<T> {
  /** Rejects as `lazy` does. */
  readonly load: () => Promise<T>;
  /** Returns the part, or `undefined` while it is not loaded. */
  readonly get: () => T | undefined;
}

/** As `lazy`, for a part that is used synchronously once it is loaded. */
export function loadable<T>(load: () => Promise<T>): Loadable<T> {
  let loaded: T | undefined;
  return { load: lazy(async () => (loaded = await load())), get: () => loaded };
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
