import { idsOf, type Message, toolParts } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';

/** Maximum number of messages that `evolve` sees, and copies with each change; more in a run with many open calls. */
const maxVisible = 8;
/** Up to this number of events a plain `reduce` is fast enough. */
const minEvents = 64;

/** Whether an event may change a message that is aside, or depends on one: then all messages have to be in the state. */
export function needsAll(event: SessionEvent, state: SessionState, isAside: (id: string) => boolean): boolean {
  return (
    event.type === 'session.imported' ||
    event.type === 'session.cleared' ||
    // The message before the one that the event names decides, too.
    event.type === 'alternative.selected' ||
    (event.type === 'message.added' && event.supersedes !== undefined) ||
    (event.type === 'message.removed' && state.alternatives.length > 0) ||
    state.replaced.length > 0 ||
    affectedIds(event, state).some(isAside)
  );
}

/**
 * Returns the messages at the beginning of a state that may be put aside: only an event that names one of them can change it. None, as
 * long as the state has few messages.
 */
export function restOf({ messages }: SessionState): readonly Message[] {
  if (messages.length <= maxVisible) return [];
  const open = messages.findIndex((message) => !isAtRest(message));
  // The newest message stays: it may be the prompt of the next run.
  return messages.slice(0, open < 0 ? -1 : open);
}

/**
 * Returns the same state as `events.reduce(evolve, start)`, at a constant cost for each event: finished messages are put aside until an
 * event affects one of them.
 */
export function fold(events: readonly SessionEvent[], start: SessionState): SessionState {
  if (events.length <= minEvents) return events.reduce(evolve, start);
  let state = start;
  let aside: Message[] = [];
  /** Ids of the messages that are aside, and of their calls. */
  let ids = new Set<string>();
  const all = (): SessionState => ({ ...state, messages: [...aside, ...state.messages] });

  for (const event of events) {
    if (needsAll(event, state, (id) => ids.has(id))) {
      state = all();
      aside = [];
      ids = new Set();
    }
    state = evolve(state, event);
    const rest = restOf(state);
    for (const message of rest) {
      aside.push(message);
      for (const id of idsOf(message)) ids.add(id);
    }
    if (rest.length > 0) state = { ...state, messages: state.messages.slice(rest.length) };
  }
  return all();
}

/** Returns the state of a stored log. */
export function foldLog(sessionId: string, events: readonly SessionEvent[]): SessionState {
  return fold(events, initialState(sessionId));
}

/** Whether only an event that names the message can change it. */
function isAtRest(message: Message): boolean {
  if (message.status !== undefined && (message.status === 'streaming' || message.content.length === 0)) return false;
  return toolParts(message).every(({ status }) => isEnded(status));
}

/** Returns the ids of the messages and calls that an event may change, or of which it must not add a second one. */
function affectedIds(event: SessionEvent, { run }: SessionState): readonly string[] {
  const open = run?.openReply ?? '';
  switch (event.type) {
    case 'message.updated':
      return [open, event.message.id];
    case 'message.removed':
    case 'session.rewound':
    case 'reply.started':
      return [open, event.messageId];
    case 'call.delta':
    case 'call.requested':
      return [open, event.callId];
    default:
      return [open];
  }
}
