import { eventVersion, type SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import type { Message } from './message.ts';
import { initialState, openRun, type SessionState } from './state.ts';

/**
 * Returns the messages that the end of a log shows: those after its first whole run, in order, and none left out between them. Fewer
 * where an event at the end changed which earlier messages are shown.
 *
 * @param events the last events of a log
 */
export function latestMessages(sessionId: string, events: readonly SessionEvent[]): readonly Message[] {
  const begin = events.findIndex(({ type }) => type === 'run.ended') + 1;
  const isCut = begin === 0 && events[0]?.type !== 'session.started' && events.some(belongsToRun);
  if (isCut || events.some(({ v }) => v !== eventVersion)) return [];
  const start = initialState(sessionId);
  let state = start;
  /** Whether the run gives a new answer to an earlier message: how it ends depends on the old answer. */
  let isReplacing = false;
  for (const event of events.slice(begin)) {
    if (dependsOnEarlier(event, state)) state = start;
    isReplacing ||= event.type === 'session.rewound' && state === start;
    if (!isReplacing) state = evolve(state, event);
    if (event.type === 'run.ended') isReplacing = false;
  }
  return state.messages;
}

function belongsToRun({ type }: SessionEvent): boolean {
  return type === 'run.started' || type === 'reply.started' || type === 'reply.ended';
}

/** Whether the event removes messages from view up to one that the state does not have. */
function dependsOnEarlier(event: SessionEvent, state: SessionState): boolean {
  const isKnown = (id: string | undefined): boolean => state.messages.some((message) => message.id === id);
  if (event.type === 'session.rewound') return !isKnown(event.messageId);
  if (openRun(state)) return false;
  // The versions of a message may be earlier than the message.
  if (event.type === 'alternative.selected') return true;
  return event.type === 'message.added' && event.supersedes !== undefined && !isKnown(event.supersedes);
}
