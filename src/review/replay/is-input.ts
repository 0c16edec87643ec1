import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionState } from '../../core/model/state.ts';

/** Whether a person, the page or another tab causes an event directly, and not the agent. */
export function isInput(event: SessionEvent, { queue }: Pick<SessionState, 'queue'>): boolean {
  switch (event.type) {
    case 'message.added':
      return queue.every(({ message }) => message.id !== event.message.id);
    case 'approval.decided':
      return event.decidedBy === 'user' || event.decidedBy === 'timeout';
    case 'context.restored':
    case 'message.pinned':
    case 'session.started':
    case 'session.renamed':
    case 'metadata.changed':
    case 'session.cleared':
    case 'session.imported':
    case 'session.rewound':
    case 'alternative.selected':
    case 'message.updated':
    case 'message.removed':
    case 'message.queued':
    case 'message.unqueued':
    case 'approval.proposed':
    case 'rule.revoked':
      return true;
    case 'context.compacted':
    case 'context.compaction-failed':
    case 'event.dropped':
    case 'run.started':
    case 'run.ended':
    case 'instructions.changed':
    case 'tools.changed':
    case 'reply.started':
    case 'reply.refused':
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.delta':
    case 'part.added':
    case 'call.requested':
    case 'reply.ended':
    case 'approval.requested':
    case 'call.started':
    case 'call.progress':
    case 'call.ended':
      return false;
  }
}
