import { toolParts, type Message } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionEvent } from './event.ts';
import { applyEvent, evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';

/** Maximum number of messages that `evolve` sees, and copies with each change; more in a run with many open calls. */
const maxVisible = 8;
/** Up to this number of events a plain `reduce` is fast enough. */
const minEvents = 64;

/**
 * Returns the same state as `events.reduce(evolve, start)`, at a constant cost for each event: finished messages are put aside until an
 * event affects one of them.
 *
 * @param watch called after each event of a long log, with a function that returns the state so far
 */
export function fold(
  events: readonly SessionEvent[],
  start: SessionState,
  watch?: (getState: () => SessionState) => void,
): SessionState {
  if (events.length <= minEvents) return events.reduce(evolve, start);
  let state = start;
  let aside: Message[] = [];
  /** Ids of the messages that are aside, and of their calls. */
  const ids = new Set<string>();

  function bringBack(): void {
    state = { ...state, messages: [...aside, ...state.messages] };
    aside = [];
    ids.clear();
  }

  function putAside(): void {
    const { messages } = state;
    const open = messages.findIndex((message) => !isAtRest(message));
    // The newest message stays: it may be the prompt of the next run.
    const rest = messages.slice(0, open < 0 ? -1 : open);
    for (const message of rest) {
      aside.push(message);
      ids.add(message.id);
      for (const { callId } of toolParts(message)) ids.add(callId);
    }
    if (rest.length > 0) state = { ...state, messages: messages.slice(rest.length) };
  }

  for (const event of events) {
    if (aside.length > 0) {
      if (event.type === 'session.cleared') {
        aside = [];
        ids.clear();
      } else if (
        event.type === 'session.imported' ||
        // The message before the one that the event names decides, too.
        event.type === 'alternative.selected' ||
        (event.type === 'message.added' && event.supersedes !== undefined) ||
        (event.type === 'message.removed' && state.alternatives.length > 0) ||
        state.replaced.length > 0 ||
        affectedIds(event, state).some((id) => ids.has(id))
      )
        bringBack();
    }
    state = applyEvent(state, event);
    if (state.messages.length > maxVisible) putAside();
    watch?.(() => whole(event));
  }
  return whole(events.at(-1));

  function whole({ seq = 0, at = 0 }: Partial<SessionEvent> = {}): SessionState {
    const messages = aside.length > 0 ? [...aside, ...state.messages] : state.messages;
    return { ...state, messages, seq, updatedAt: at };
  }
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
