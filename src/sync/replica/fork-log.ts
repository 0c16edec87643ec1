import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import { evolve } from '../../core/model/evolve.ts';
import { sealCalls } from '../../core/model/parts.ts';
import { foldLog } from '../../core/model/fold.ts';
import { isEnded } from '../../core/model/call-status.ts';
import { type ToolPart, toolParts } from '../../core/model/message.ts';
import { allMessages, openRun, type SessionState } from '../../core/model/state.ts';
import { toSummary } from '../../core/model/summary.ts';
import type { SessionSummary } from '../../core/model/store.ts';

/**
 * Returns the log that keeps what this device had, as a session of its own. Pure.
 *
 * Invariant: no call of it can run, approved or not, begun or not: the other device may have run it. A person who resumes the
 * run asks the model again, and decides again.
 *
 * @param toTitle makes the title of the fork
 */
export function toForkLog(
  events: readonly SessionEvent[],
  forkId: string,
  toTitle: (title: string) => string,
): { readonly events: readonly SessionEvent[]; readonly summary: SessionSummary } {
  const log = events.map((event) => (event.type === 'session.started' ? { ...event, sessionId: forkId } : event));
  const { state: sealed, events: seals } = seal(foldLog(forkId, log));
  const renamed = eventAfter(sealed, { type: 'session.renamed', title: toTitle(sealed.title) });
  return { events: [...log, ...seals, renamed], summary: toSummary(evolve(sealed, renamed)) };
}

/**
 * Returns the events with which a log that a person has removed on one device is stored again by what another device had. Pure.
 *
 * Invariant: a call that both devices had, and that has not begun here, cannot run: the log that is gone may have run it.
 *
 * @param agreed `seq` up to which both devices had the same events
 */
export function sealRevived(id: string, events: readonly SessionEvent[], agreed: number): readonly SessionEvent[] {
  const begun = new Set(events.flatMap((event) => (event.type === 'call.started' ? [event.callId] : [])));
  const shared = new Set(
    events.flatMap((event) => (event.type === 'call.requested' && event.seq <= agreed ? [event.callId] : [])),
  );
  const state = foldLog(id, events);
  const mayHaveRun = ({ callId, status }: ToolPart): boolean =>
    shared.has(callId) && !begun.has(callId) && !isEnded(status);
  return allMessages(state).concat(state.replaced).flatMap(toolParts).some(mayHaveRun) ? seal(state).events : [];
}

/** Ends the open run, and makes every call one that was not made here: none can run. */
function seal(from: SessionState): { readonly events: readonly SessionEvent[]; readonly state: SessionState } {
  let state = from;
  const events: SessionEvent[] = [];
  const append = (body: EventBody): void => {
    const event = eventAfter(state, body);
    events.push(event);
    state = evolve(state, event);
  };
  const run = openRun(state);
  if (run) append({ type: 'run.ended', runId: run.id, outcome: 'interrupted' });
  if (
    allMessages(state)
      .concat(state.replaced)
      .some((message) => sealCalls(message) !== message)
  )
    append({ type: 'session.imported' });
  return { events, state };
}

function eventAfter({ seq, updatedAt }: SessionState, body: EventBody): SessionEvent {
  return { ...body, seq: seq + 1, at: updatedAt, v: eventVersion };
}
