import type { SessionStore } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';
import type { Report } from '../model-server.ts';

let count = 0;

/** Sends a report to the server of the test. A page that is left sends it nevertheless. */
export function report<Type extends Report['type']>(
  url: string,
  what: Omit<Extract<Report, { type: Type }>, 'number'> & { readonly type: Type },
): void {
  const body = JSON.stringify({ ...what, number: count++ });
  // A browser refuses more than 64 KiB of a request that outlives its page.
  fetch(url, { method: 'POST', body, keepalive: body.length < 20_000 }).catch(() => {});
}

/** Returns a store that reports each write once the store has acknowledged it. */
export function createReportingStore<Store extends SessionStore>(store: Store, url: string): Store {
  return {
    ...store,
    async write(write: SessionWrite): Promise<void> {
      await store.write(write);
      report(url, { type: 'write', sessionId: write.sessionId, write: JSON.stringify(write) });
    },
  };
}
