import { Observable } from 'rxjs';
import type { SessionStore } from '../../core/model/store.ts';

/** Returns what tells that this device is online again: the stream of a store that has one, else the event of the window. */
export function onlineOf(remote: SessionStore & { readonly online$?: Observable<boolean> }): Observable<boolean> {
  return (
    remote.online$ ??
    new Observable((subscriber) => {
      const listening = new AbortController();
      // Node and workers without a window have no such event.
      globalThis.addEventListener?.('online', () => subscriber.next(true), listening);
      return () => listening.abort();
    })
  );
}
