import type { SessionEvent } from '../../core/model/event.ts';

/** Types of events that change no message at rest: they add a message, change the open reply, or name a call that has not ended. */
const extending: ReadonlySet<SessionEvent['type']> = new Set([
  'message.added',
  'message.queued',
  'message.unqueued',
  'run.started',
  'run.ended',
  'instructions.changed',
  'tools.changed',
  'reply.started',
  'text.delta',
  'reasoning.delta',
  'call.delta',
  'part.added',
  'call.requested',
  'reply.ended',
  'approval.requested',
  'approval.decided',
  'call.started',
  'call.ended',
]);

/** Whether an event leaves all messages at rest as they are. Not known while an answer is being replaced. */
export function extendsConversation(event: SessionEvent): boolean {
  return extending.has(event.type) && !('supersedes' in event);
}
