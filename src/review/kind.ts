import type { SessionEvent } from '../core/model/event.ts';

/** A group of events, for filters. */
export type EventKind = 'session' | 'message' | 'run' | 'request' | 'answer' | 'call' | 'decision' | 'context';

/** The kinds, in the order in which a filter shows them. */
export const eventKinds: readonly EventKind[] = [
  'message',
  'run',
  'request',
  'answer',
  'call',
  'decision',
  'context',
  'session',
];

/** The kind of every type of event: tsc reports a type that is missing here. */
const kinds: { readonly [type in SessionEvent['type']]: EventKind } = {
  'session.started': 'session',
  'session.renamed': 'session',
  'metadata.changed': 'session',
  'session.cleared': 'session',
  'event.dropped': 'session',
  'session.imported': 'session',
  'session.rewound': 'message',
  'alternative.selected': 'message',
  'message.added': 'message',
  'message.updated': 'message',
  'message.removed': 'message',
  'message.queued': 'message',
  'message.unqueued': 'message',
  'run.started': 'run',
  'run.ended': 'run',
  'instructions.changed': 'request',
  'tools.changed': 'request',
  'reply.started': 'request',
  'reply.refused': 'request',
  'text.delta': 'answer',
  'reasoning.delta': 'answer',
  'part.added': 'answer',
  'reply.ended': 'answer',
  'call.delta': 'call',
  'call.requested': 'call',
  'call.started': 'call',
  'call.progress': 'call',
  'call.ended': 'call',
  'approval.requested': 'decision',
  'approval.decided': 'decision',
  'approval.proposed': 'decision',
  'rule.revoked': 'decision',
  'context.compacted': 'context',
  'context.compaction-failed': 'context',
  'context.restored': 'context',
  'message.pinned': 'context',
};

/** Returns the kind of an event; `session` for an event of a newer version. */
export function kindOf(event: SessionEvent): EventKind {
  return hasKnownType(event) ? kinds[event.type] : 'session';
}

/** Whether this package knows the type of an event: an event of a newer version may have another one. */
export function hasKnownType({ type }: SessionEvent): boolean {
  return Object.hasOwn(kinds, type);
}
