import type { EventBody } from './event.ts';

/**
 * When views of the state are notified of an event. `now`: within the call that appends the event. `frame`: before the next frame
 * is drawn; after such an event the run continues by itself, mostly within the same turn, so that the event is shown together
 * with the events that follow. Subscribers of `events$` are notified of each event at once.
 */
export const urgency: Readonly<Record<EventBody['type'], 'now' | 'frame'>> = {
  'session.started': 'now',
  'session.renamed': 'now',
  'metadata.changed': 'now',
  'session.cleared': 'now',
  'event.dropped': 'now',
  'session.imported': 'now',
  'session.rewound': 'now',
  'message.added': 'now',
  'message.updated': 'now',
  'message.removed': 'now',
  'message.queued': 'now',
  'message.unqueued': 'now',
  'message.pinned': 'now',
  'instructions.changed': 'now',
  'tools.changed': 'now',
  'run.started': 'now',
  'run.ended': 'now',
  'reply.started': 'now',
  'reply.refused': 'now',
  'text.delta': 'frame',
  'reasoning.delta': 'frame',
  'call.delta': 'frame',
  'part.added': 'now',
  'call.requested': 'frame',
  'reply.ended': 'frame',
  'approval.requested': 'now',
  'approval.decided': 'now',
  'rule.revoked': 'now',
  'call.started': 'frame',
  'call.progress': 'frame',
  'call.ended': 'now',
  'context.compacted': 'now',
  'context.compaction-failed': 'now',
  'context.restored': 'now',
};
