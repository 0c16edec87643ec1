import { defined } from '../json.ts';
import type { SessionEvent } from './event.ts';
import { toWaitingCall, type WaitingCall } from './waiting.ts';

/**
 * Returns the calls that wait for a person at the end of a log, in the order of the reply, for a session that is known to wait. A call that was
 * requested before these events is left out.
 *
 * @param events the last events of a log
 */
export function waitingIn(events: readonly SessionEvent[]): readonly WaitingCall[] {
  /** The calls of the last reply, and those among them that wait. */
  const names = new Map<string, string>();
  const waiting = new Map<string, WaitingCall>();
  for (const event of events) {
    switch (event.type) {
      case 'reply.started':
      case 'session.cleared':
        names.clear();
        waiting.clear();
        break;
      case 'call.requested':
        names.set(event.callId, event.name);
        break;
      case 'approval.requested': {
        const { callId, expiresAt, elicitation, at } = event;
        const name = names.get(callId);
        if (name !== undefined)
          waiting.set(callId, toWaitingCall({ callId, name, approval: defined({ expiresAt, elicitation }) }, at));
        break;
      }
      case 'approval.decided':
      case 'call.ended':
        waiting.delete(event.callId);
        break;
      default:
    }
  }
  return Array.from(names.keys()).flatMap((callId) => waiting.get(callId) ?? []);
}
