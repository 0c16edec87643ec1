import type { EventBody } from './event.ts';

/**
 * When subscribers of a state are notified of an event: within the call that appends it, or before the next picture.
 * After the events of the second kind a run goes on by itself, mostly within the same turn, so that they are shown with what
 * follows them. Subscribers of the events themselves are notified of each at once.
 */
export const urgency: Readonly<Record<EventBody['type'], 'now' | 'frame'>> = {
  'session.started': 'now',
  'session.renamed': 'now',
  'session.cleared': 'now',
  'session.rewound': 'now',
  'message.added': 'now',
  'message.updated': 'now',
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
