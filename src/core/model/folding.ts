import { idsOf, type Message, toolParts } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionEvent } from './event.ts';
import { eventReach } from './event-reach.ts';
import { evolve } from './evolve.ts';
import { allMessages, type RecentState, type SessionState } from './state.ts';
import { lastReply } from './status.ts';

/** Maximum number of messages that `evolve` sees, and copies with each change; more in a run with many open calls. */
const maxVisible = 8;

/** The ids that an event may name: of messages and calls that it may change, or of which it must not add a second one. */
interface Names {
  readonly type?: string;
  readonly message?: Pick<Message, 'id'>;
  readonly messageId?: string;
  readonly callId?: string;
  readonly supersedes?: string;
}

const nameless: Names = {};

/** Whether an event may change a message that is aside, or depends on one: then all messages have to be in the state. */
export function needsAll(event: SessionEvent, state: SessionState, aside: Pick<ReadonlySet<string>, 'has'>): boolean {
  // The type of an event of a newer version has no reach: `evolve` ignores the event.
  const reach = eventReach[event.type];
  const names: Names = event;
  const { message, messageId = message?.id, callId, supersedes } = reach === 'named' ? names : nameless;
  return (
    reach === 'all' ||
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

/** A fold that continues event by event, at a constant cost for each. */
export interface Folding {
  /** Adds an event. Returns what the event may have changed: the messages that are aside are not among these. No decision follows from it. */
  add(event: SessionEvent): Pick<SessionState, 'seq' | 'messages'>;
  /** Returns the state: the same as `events.reduce(evolve, start)`. Its list of messages is copied where it has changed. */
  getState(): SessionState;
  /** Returns the recent part of the state; the cost does not grow with the number of messages. The same object for the same state. */
  getRecent(): RecentState;
  /** Whether the session has a message or a call with this id; the cost does not grow with the number of messages. */
  hasId(id: string): boolean;
}

/** Creates a fold that puts finished messages aside until an event affects one of them. */
export function createFolding(start: SessionState): Folding {
  let state = start;
  let aside: Message[] = [];
  /** The last reply among them. */
  let asideReply: Message | undefined;
  /** Ids of the messages that are aside, and of their calls. */
  let ids = new Set<string>();
  /** Number of messages in the state before the last event. */
  let length = 0;
  /** The last state that was returned, with all messages. */
  let whole = start;
  /** The same, without the messages that are aside. */
  let seen = start;
  let recent: RecentState | undefined;
  /** The state of which `recent` is the recent part. */
  let recentOf: SessionState | undefined;

  function getState(): SessionState {
    if (seen === state) return whole;
    const messages = seen.messages === state.messages ? whole.messages : aside.concat([...state.messages]);
    seen = state;
    return (whole = { ...state, messages });
  }

  function putAside(): void {
    const old = restOf(state);
    for (const message of old) {
      aside.push(message);
      for (const id of idsOf(message)) ids.add(id);
    }
    asideReply = lastReply(old) ?? asideReply;
    const rest = { ...state, messages: state.messages.slice(old.length) };
    if (seen === state) seen = rest;
    state = rest;
  }

  function takeBack(): void {
    seen = state = getState();
    aside = [];
    asideReply = undefined;
    ids = new Set();
  }

  return {
    add(event) {
      // Only after a new message: an update of each message in turn would put them all aside each time.
      if (state.messages.length > length) putAside();
      if (needsAll(event, state, ids)) takeBack();
      length = state.messages.length;
      state = evolve(state, event);
      // Invariant: the newest message is not aside. The event may have removed the messages after it: a reply without content.
      if (state.messages.length === 0) takeBack();
      return state;
    },
    getState,
    getRecent() {
      if (recent === undefined || recentOf !== state) {
        const { id, run, queue, approvalRules, context, messages } = state;
        const reply = run && (lastReply(messages) ?? asideReply);
        recent = { id, run, queue, approvalRules, context, newest: messages.at(-1), lastReply: reply };
        recentOf = state;
      }
      return recent;
    },
    hasId: (id) => ids.has(id) || allMessages(state).flatMap(idsOf).includes(id),
  };
}

/** Whether only an event that names the message can change it. */
function isAtRest(message: Message): boolean {
  if (message.status !== undefined && (message.status === 'streaming' || message.content.length === 0)) return false;
  return toolParts(message).every(({ status }) => isEnded(status));
}
