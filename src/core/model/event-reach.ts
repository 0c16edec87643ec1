import type { EventBody } from './event.ts';

/**
 * Which messages at rest before the newest one an event may change, or depends on. `all`: any of them, because of its neighbours or its
 * versions. `named`: those with an id that the event names, of a message or of a call. `none`: none of them.
 */
export type EventReach = 'all' | 'named' | 'none';

/** The reach of each type. A new type is an error here until its reach is stated. */
export const eventReach: Readonly<Record<EventBody['type'], EventReach>> = {
  'session.started': 'none',
  'session.renamed': 'none',
  'metadata.changed': 'none',
  'session.cleared': 'all',
  'event.dropped': 'none',
  'session.imported': 'all',
  'session.rewound': 'named',
  'alternative.selected': 'all',
  'message.added': 'named',
  'message.updated': 'named',
  'message.removed': 'all',
  'message.queued': 'none',
  'message.unqueued': 'none',
  // These close calls that are open, and depend on the newest message: neither is put aside.
  'run.started': 'none',
  'run.ended': 'none',
  'instructions.changed': 'none',
  'tools.changed': 'none',
  'reply.started': 'none',
  // These change the open reply only.
  'reply.refused': 'none',
  'text.delta': 'none',
  'reasoning.delta': 'none',
  'call.delta': 'none',
  'part.added': 'none',
  'reply.ended': 'none',
  'call.requested': 'named',
  'approval.requested': 'named',
  'approval.decided': 'named',
  'approval.proposed': 'named',
  'rule.revoked': 'none',
  'call.started': 'named',
  'call.progress': 'named',
  'call.ended': 'named',
  // These change the view of the model, which the state holds apart from the messages.
  'context.compacted': 'none',
  'context.compaction-failed': 'none',
  'context.restored': 'none',
  'message.pinned': 'none',
};
