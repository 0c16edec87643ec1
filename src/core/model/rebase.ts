import type { EventBody, SessionEvent } from './event.ts';

/**
 * Whether any tab may append the event while another tab runs the session: events that a run has already appended stay valid when such
 * an event is stored before them.
 */
export function isConcurrent({ type }: EventBody): boolean {
  return (
    type === 'message.queued' ||
    type === 'message.unqueued' ||
    type === 'session.renamed' ||
    type === 'metadata.changed' ||
    type === 'message.pinned' ||
    type === 'approval.proposed' ||
    // An event without content: no run depends on it.
    type === 'event.dropped'
  );
}

/** Returns the event at another position: by how much the numbers of the events before it have changed. */
export function shifted(event: SessionEvent, by: number): SessionEvent {
  return { ...event, seq: event.seq + by, ...(event.since !== undefined && { since: event.since + by }) };
}
