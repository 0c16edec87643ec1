import type { SessionEvent } from '../core/model/event.ts';
import type { SessionStore } from '../core/model/store.ts';

/** Events from which on a log is long: a user notices the time that reading it takes. */
const longLog = 1_500;
/** Events at the end of a long log: more messages than a window shows. */
const shown = 300;

/** Returns the last events of a long log, and none of a short log. Two short reads. */
export async function readLatestEvents(
  sessionId: string,
  read: SessionStore['read'],
): Promise<readonly SessionEvent[]> {
  const seq = (await read(sessionId, { after: Infinity }))?.summary.seq ?? 0;
  return seq < longLog ? [] : ((await read(sessionId, { after: seq - shown }))?.events ?? []);
}
