import type { SessionStore } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';
import type { Report } from '../model-server.ts';

const page = crypto.randomUUID();
let shows = 0;
let count = 0;
addEventListener('pageshow', () => shows++);

/** Sends a report to the server of the test. A page that is left sends it nevertheless. */
function reportWrite(url: string, sessionId: string, write: string): void {
  send(url, { ...next(), sessionId, type: 'write', write });
}

export function reportSaved(url: string, sessionId: string, seq: number): void {
  send(url, { ...next(), sessionId, type: 'saved', seq });
}

const next = () => ({ visit: `${page} ${shows}`, number: count++ });

function send(url: string, report: Report): void {
  const body = JSON.stringify(report);
  // A browser refuses more than 64 KiB of a request that outlives its page.
  fetch(url, { method: 'POST', body, keepalive: body.length < 20_000 }).catch(() => {});
}

/** Returns a store that reports each write once the store has acknowledged it. */
export function createReportingStore<Store extends SessionStore>(store: Store, url: string): Store {
  return {
    ...store,
    async write(write: SessionWrite): Promise<void> {
      await store.write(write);
      reportWrite(url, write.sessionId, JSON.stringify(write));
    },
  };
}
