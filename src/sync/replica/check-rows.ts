import { AgentError } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { id as sessionId, title } from '../../core/model/shapes/fields.ts';
import { usage } from '../../core/model/shapes/message-shape.ts';
import { rowOrigin } from '../../core/model/shapes/origin-shape.ts';
import { path } from '../../core/model/shapes/path-shape.ts';
import { waitingList } from '../../core/model/shapes/waiting-shape.ts';
import { amount, count, having, jsonObject, maybe, oneOf, time } from '../../core/model/shapes/shape.ts';
import type { SessionSummary, StoredSession } from '../../core/model/store.ts';
import { upcast } from '../../core/model/upcast.ts';
import { readEvent } from '../../storage/files/event-shape.ts';

const summary = having({
  id: sessionId,
  title,
  createdAt: time,
  updatedAt: time,
  status: oneOf('idle', 'running', 'waiting', 'interrupted', 'failed', 'limit'),
  messageCount: amount,
  usage,
  seq: count(1),
  metadata: maybe(jsonObject),
  waiting: maybe(waitingList),
  path: maybe(path),
  children: maybe(count(1)),
  origin: maybe(rowOrigin),
});

/** Whether a row of the remote store fits. */
export const isRow = (row: SessionSummary): boolean => summary(row, '') === undefined;

/** Returns an event of another device: whatever origin it states, the messages that it brings are those of a device. */
function ofDevice(event: SessionEvent): SessionEvent {
  const origin = { type: 'device' } as const;
  if (event.type === 'reply.started') return { ...event, origin };
  return 'message' in event ? { ...event, message: { ...event.message, origin } } : event;
}

/**
 * Returns a session of the remote store, checked by the shapes of an imported file: what does not fit is not stored here.
 *
 * @param after the session was read above this `seq`
 * @throws AgentError `STORAGE_CORRUPT` with the event, its field and the reason
 */
export function checkRows(id: string, stored: StoredSession, after: number): StoredSession {
  const refuse = (what: string): never => {
    throw new AgentError(`Session ${id} of the remote store is not taken over: ${what}.`, { code: 'STORAGE_CORRUPT' });
  };
  const flaw = summary(stored.summary, '');
  if (flaw) return refuse(`its row: ${flaw.field} ${flaw.reason}`);
  if (stored.summary.id !== id) return refuse('its row has another id');
  if (stored.damage !== undefined) return refuse(stored.damage);
  let last = after;
  const events = stored.events.map((raw): SessionEvent => {
    const copy: unknown = JSON.parse(JSON.stringify(upcast(raw)));
    const read = readEvent(copy);
    if ('flaw' in read) return refuse(`event ${last + 1}: ${read.flaw.field} ${read.flaw.reason}`);
    const { event } = read;
    if (event.seq <= last) return refuse(`event ${event.seq} does not come after ${last}`);
    if ((last === 0) !== (event.type === 'session.started')) return refuse(`event ${event.seq} is out of place`);
    if (event.type === 'session.started' && event.sessionId !== id)
      return refuse('its first event names another session');
    last = event.seq;
    return ofDevice(event);
  });
  if (events.length > 0 && last !== stored.summary.seq) return refuse('its last events are missing');
  return { ...stored, events };
}
