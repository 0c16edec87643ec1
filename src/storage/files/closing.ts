import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import { evolve } from '../../core/model/evolve.ts';
import type { Message } from '../../core/model/message.ts';
import { sealCalls } from '../../core/model/parts.ts';
import { allMessages, type SessionState } from '../../core/model/state.ts';
import { openCalls } from '../../core/model/status.ts';

/** Whether a message counts as one of this page, or a call of it could still be decided, started or started again: see `sealCalls`. */
function isOfHere(message: Message): boolean {
  return message.origin?.type !== 'import' || sealCalls(message) !== message;
}

/** The events that end an open run and its calls, and that undo what would have an effect later. */
export function closingOf(state: SessionState, newId: () => string): readonly SessionEvent[] {
  const { run, seq, updatedAt: at } = state;
  const isRunning = run !== undefined && run.outcome === undefined;
  const runId = isRunning ? run.id : newId();
  const bodies: EventBody[] = [];
  // The start of a run cancels the open calls of earlier runs.
  if (!isRunning && openCalls(state).length > 0) bodies.push({ type: 'run.started', runId });
  if (isRunning || bodies.length > 0) bodies.push({ type: 'run.ended', runId, outcome: 'cancelled' });
  // A file may neither queue the next prompt nor approve later calls.
  for (const { message } of state.queue) bodies.push({ type: 'message.unqueued', messageId: message.id });
  for (const { name } of state.approvalRules) bodies.push({ type: 'rule.revoked', name });
  const position = (index: number) => ({ seq: seq + 1 + index, at, v: eventVersion }) as const;
  const closing = bodies.map((body, index): SessionEvent => ({ ...body, ...position(index) }));
  const closed = closing.reduce(evolve, state);
  if (!allMessages(closed).concat(closed.replaced).some(isOfHere)) return closing;
  return [...closing, { type: 'session.imported', ...position(closing.length) }];
}
