import type { SessionEvent } from './event.ts';
import { toolParts } from './message.ts';
import type { RecentState, SessionState } from './state.ts';
import { lastReplyOf, newestOf } from './status.ts';

/** Returns the ids of the sessions that work on calls of the last reply, or would continue such a call when the run is resumed. */
export function openChildrenOf(state: SessionState | RecentState): readonly string[] {
  const reply = lastReplyOf(state);
  if (reply === undefined) return [];
  // A call that was cut off runs again only while its reply is the last message.
  const isLast = reply === newestOf(state);
  return toolParts(reply).flatMap(({ session, status }) =>
    session !== undefined && (status === 'started' || (status === 'uncertain' && isLast)) ? [session] : [],
  );
}

/** Returns the ids of the sessions that the calls of a log have started, each once. */
export function childrenOf(events: readonly SessionEvent[]): readonly string[] {
  const ids = events.flatMap((event) => (event.type === 'call.started' ? (event.session ?? []) : []));
  return [...new Set(ids)];
}

/** Returns the id of the session whose call has started the session of a log; `undefined` for a log that no call has started. */
export function parentOf(events: readonly SessionEvent[]): string | undefined {
  const started = events.find((event) => event.type === 'session.started');
  return started?.path?.at(-1)?.sessionId;
}
