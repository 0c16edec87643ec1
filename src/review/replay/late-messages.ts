import type { SessionEvent } from '../../core/model/event.ts';

/** A queued message that the replay admits where the log continues without it. */
export interface EarlyMessage {
  readonly messageId: string;
  /** `seq` of the event with which the log continues; `undefined` at its end. */
  readonly before: number | undefined;
}

/**
 * Returns the log with a queued message where the page that ran the session read it. The log has the message where another tab wrote it,
 * which may be earlier.
 */
export function moveLater(
  events: readonly SessionEvent[],
  { messageId, before }: EarlyMessage,
): readonly SessionEvent[] | undefined {
  const from = events.findIndex((event) => event.type === 'message.queued' && event.message.id === messageId);
  const queued = events[from];
  const to = events.findIndex(({ seq }) => seq === before);
  if (queued === undefined || to < from) return undefined;
  // A compaction admits no message while it is under way, and is followed by the next step at once: the message came before its end.
  const isCompacted = events[to]?.type === 'context.compacted' || events[to]?.type === 'context.compaction-failed';
  if (isCompacted && from < to - 1)
    return [...events.slice(0, from), ...events.slice(from + 1, to), queued, ...events.slice(to)];
  // A message and the run that answers it are one change.
  let end = events[to]?.type === 'message.added' && events[to + 1]?.type === 'run.started' ? to + 2 : to + 1;
  // Messages that were moved here before stay behind those that were queued before them.
  for (let next = events[end]; isQueuedBefore(next, queued); next = events[end]) end++;
  return [...events.slice(0, from), ...events.slice(from + 1, end), queued, ...events.slice(end)];
}

function isQueuedBefore(event: SessionEvent | undefined, queued: SessionEvent): boolean {
  return event?.type === 'message.queued' && event.seq < queued.seq;
}
