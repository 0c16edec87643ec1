import { Observable } from 'rxjs';
import type { SessionEnv } from './session-env.ts';

/** Emits with a view of the log, and where a session below has changed; completes with the view. */
export function withBelow(view$: Observable<unknown>, tree: SessionEnv['tree']): Observable<unknown> {
  return new Observable((subscriber) => {
    subscriber.add(tree?.changes$.subscribe(() => subscriber.next(undefined)));
    subscriber.add(view$.subscribe(subscriber));
  });
}
