import { Observable } from 'rxjs';
import type { SessionStore } from '../../core/model/store.ts';

/** Returns the stream that reports that this device is online again: that of the store, where it has one, else the event of the window. */
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
