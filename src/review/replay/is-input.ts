import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionState } from '../../core/model/state.ts';

/** Whether a person, the page or another tab causes an event directly, and not the agent. */
export function isInput(event: SessionEvent, { queue }: Pick<SessionState, 'queue'>): boolean {
  switch (event.type) {
    case 'message.added':
      return queue.every(({ message }) => message.id !== event.message.id);
    case 'approval.decided':
      return event.decidedBy === 'user' || event.decidedBy === 'timeout';
    case 'approval.proposed':
    case 'rule.revoked':
    case 'context.restored':
      return true;
    default:
      return /^(session|metadata|message|alternative)\./.test(event.type);
  }
}
