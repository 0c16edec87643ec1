import { idsOf, type Message, toolParts } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { allMessages, type SessionState } from './state.ts';

/** Maximum number of messages that `evolve` sees, and copies with each change; more in a run with many open calls. */
const maxVisible = 8;

/** The ids that an event may name: of messages and calls that it may change, or of which it must not add a second one. */
interface Names {
  readonly type: string;
  readonly message?: Pick<Message, 'id'>;
  readonly messageId?: string;
  readonly callId?: string;
  readonly supersedes?: string;
}

/** Whether an event may change a message that is aside, or depends on one: then all messages have to be in the state. */
export function needsAll(event: SessionEvent, state: SessionState, aside: Pick<ReadonlySet<string>, 'has'>): boolean {
  const { type, message, messageId = message?.id, callId, supersedes }: Names = event;
  return (
    // Not only the message that the event names decides, but also its neighbours and its versions.
    /imported|cleared|selected|removed/.test(type) ||
    supersedes !== undefined ||
    state.replaced.length > 0 ||
    [state.run?.openReply, messageId, callId].some((id = '') => aside.has(id))
  );
}

/**
 * Returns the messages at the beginning of a state that may be put aside: only an event that names one of them can change it. None, as
 * long as the state has few messages.
 */
export function restOf({ messages, replaced }: SessionState): readonly Message[] {
  // During a regeneration each event may affect any message.
  if (messages.length <= maxVisible || replaced.length > 0) return [];
  const open = messages.findIndex((message) => !isAtRest(message));
  // Where all are at rest (-1), the newest message stays: it may be the prompt of the next run.
  return messages.slice(0, open);
}

/** A fold that goes on event by event, at a constant cost for each. */
export interface Folding {
  /** Adds an event. Returns the state without the messages that are aside. */
  add(event: SessionEvent): SessionState;
  /** Returns the state: the same as `events.reduce(evolve, start)`. Its list of messages is copied where it has changed. */
  getState(): SessionState;
  /** Whether the session has a message or a call with this id; the cost does not grow with the number of messages. */
  hasId(id: string): boolean;
}

/** Creates a fold that puts finished messages aside until an event affects one of them. */
export function createFolding(start: SessionState): Folding {
  let state = start;
  let aside: Message[] = [];
  /** Ids of the messages that are aside, and of their calls. */
  let ids = new Set<string>();
  /** Number of messages in the state before the last event. */
  let length = 0;
  /** The last state that was returned, with all messages. */
  let whole = start;
  /** The same, without the messages that are aside. */
  let seen = start;

  function getState(): SessionState {
    if (seen === state) return whole;
    const messages = seen.messages === state.messages ? whole.messages : aside.concat([...state.messages]);
    seen = state;
    return (whole = { ...state, messages });
  }

  return {
    add(event) {
      // Only after a new message: an update of each message in turn would put them all aside each time.
      if (state.messages.length > length) {
        const old = restOf(state);
        for (const message of old) {
          aside.push(message);
          for (const id of idsOf(message)) ids.add(id);
        }
        const rest = { ...state, messages: state.messages.slice(old.length) };
        if (seen === state) seen = rest;
        state = rest;
      }
      if (needsAll(event, state, ids)) {
        seen = state = getState();
        aside = [];
        ids = new Set();
      }
      length = state.messages.length;
      return (state = evolve(state, event));
    },
    getState,
    hasId: (id) => ids.has(id) || allMessages(state).flatMap(idsOf).includes(id),
  };
}

/** Whether only an event that names the message can change it. */
function isAtRest(message: Message): boolean {
  if (message.status !== undefined && (message.status === 'streaming' || message.content.length === 0)) return false;
  return toolParts(message).every(({ status }) => isEnded(status));
}
