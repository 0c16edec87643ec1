import { toolParts, type Message } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionEvent } from './event.ts';
import { applyEvent, evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';

/** Messages that `evolve` gets to see, and copies with each event that changes one; some more lie open in a run with many calls. */
const near = 8;
/** Events that are not worth the trouble. */
const few = 64;

/**
 * `events.reduce(evolve, start)`, but at the same cost an event however many there are: messages that have come to rest are put aside,
 * until an event reaches for one of them.
 */
export function fold(events: readonly SessionEvent[], start: SessionState): SessionState {
  if (events.length <= few) return events.reduce(evolve, start);
  let state = start;
  let aside: Message[] = [];
  /** Ids of what is aside, messages and calls. */
  const ids = new Set<string>();

  function bringBack(): void {
    state = { ...state, messages: [...aside, ...state.messages] };
    aside = [];
    ids.clear();
  }

  function putAside(): void {
    const { messages } = state;
    const open = messages.findIndex((message) => !isAtRest(message));
    // The newest stays: it may be the question of the next run.
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
      } else if (state.replaced.length > 0 || reached(event, state).some((id) => ids.has(id))) bringBack();
    }
    state = applyEvent(state, event);
    if (state.messages.length > near) putAside();
  }
  if (aside.length > 0) bringBack();
  const { seq = 0, at = 0 } = events.at(-1) ?? {};
  return { ...state, seq, updatedAt: at };
}

/** A stored log as a state. */
export function foldLog(sessionId: string, events: readonly SessionEvent[]): SessionState {
  return fold(events, initialState(sessionId));
}

/** Whether nothing changes it but an event that names it. */
function isAtRest(message: Message): boolean {
  if (message.status !== undefined && (message.status === 'streaming' || message.content.length === 0)) return false;
  return toolParts(message).every(({ status }) => isEnded(status));
}

/** Ids of the messages and calls that an event may change, or that it must not come twice of. */
function reached(event: SessionEvent, { run }: SessionState): readonly string[] {
  const open = run?.openReply ?? '';
  switch (event.type) {
    case 'message.updated':
      return [open, event.message.id];
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
