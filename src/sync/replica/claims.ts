import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionWrite } from '../../core/model/store.ts';
import type { ConnectOptions } from './options.ts';

export type Claims = Required<ConnectOptions>['claims'];

/** Returns the calls that a write begins or decides, and that are open after it: no two devices may do either. */
export function callsOf({ events }: SessionWrite): readonly string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'call.started' || event.type === 'approval.proposed' || isByUser(event)) open.add(event.callId);
    else if (event.type === 'call.ended') open.delete(event.callId);
    else if (event.type === 'run.ended') open.clear();
  }
  return [...open];
}

function isByUser(event: SessionEvent): event is Extract<SessionEvent, { type: 'approval.decided' }> {
  return event.type === 'approval.decided' && event.decidedBy === 'user';
}

/** Whether the write may have to be on the remote store first. Decided within the call: other writes are stored at once. */
export function mayClaim(write: SessionWrite, claims: Claims): boolean {
  return claims !== 'local' && callsOf(write).length > 0;
}
