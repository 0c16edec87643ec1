import { toolParts, type Message } from './message.ts';
import { isEnded } from './call-status.ts';
import type { SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';

/** Maximum number of messages that `evolve` sees, and copies with each change; more in a run with many open calls. */
const maxVisible = 8;
/** Up to this number of events a plain `reduce` is fast enough. */
const minEvents = 64;

/** Finished messages, with the place of each id: of messages and of their calls. Invariant: only grows, so that marks share it. */
interface Aside {
  readonly messages: Message[];
  readonly places: Map<string, number>;
}

/** Where a fold was: the rest of its log can be reduced from here, as often as needed. */
export interface FoldMark {
  /** The state without the messages that are aside. */
  readonly state: SessionState;
  readonly aside: Aside;
  /** Number of messages of `aside` that belong to this mark. */
  readonly count: number;
}

/** A reduce over events, at a constant cost for each event: finished messages are put aside until an event affects one of them. */
export interface Fold {
  add(event: SessionEvent): void;
  /** Returns the state so far: the same as `events.reduce(evolve, start)`. */
  getState(): SessionState;
  getMark(): FoldMark;
}

const nothing = (): Aside => ({ messages: [], places: new Map() });

/** Creates a fold that continues from a mark, or from a state. */
export function createFold(start: SessionState | FoldMark): Fold {
  let { state, aside: before, count } = 'aside' in start ? start : { state: start, aside: nothing(), count: 0 };
  let aside = nothing();

  /** Forgets what is aside, without a change of what marks share. */
  function clear(): void {
    before = aside = nothing();
    count = 0;
  }

  const all = (): readonly Message[] => [...before.messages.slice(0, count), ...aside.messages, ...state.messages];

  const isAside = (id: string): boolean => (before.places.get(id) ?? count) < count || aside.places.has(id);

  function putAside(): void {
    const { messages } = state;
    const open = messages.findIndex((message) => !isAtRest(message));
    // The newest message stays: it may be the prompt of the next run.
    const rest = messages.slice(0, open < 0 ? -1 : open);
    for (const message of rest) {
      const place = aside.messages.push(message) - 1;
      for (const id of [message.id, ...toolParts(message).map(({ callId }) => callId)])
        if (!aside.places.has(id)) aside.places.set(id, place);
    }
    if (rest.length > 0) state = { ...state, messages: messages.slice(rest.length) };
  }

  return {
    add(event) {
      if (count + aside.messages.length > 0) {
        if (event.type === 'session.cleared') clear();
        else if (
          event.type === 'session.imported' ||
          // The message before the one that the event names decides, too.
          event.type === 'alternative.selected' ||
          (event.type === 'message.added' && event.supersedes !== undefined) ||
          (event.type === 'message.removed' && state.alternatives.length > 0) ||
          state.replaced.length > 0 ||
          affectedIds(event, state).some(isAside)
        ) {
          state = { ...state, messages: all() };
          clear();
        }
      }
      state = evolve(state, event);
      if (state.messages.length > maxVisible) putAside();
    },
    getState: () => ({ ...state, messages: all() }),
    // A fold that continues from a mark has two lists of messages: the mark of such a fold needs one.
    getMark: () =>
      count > 0
        ? { state: { ...state, messages: all() }, aside: nothing(), count: 0 }
        : { state, aside, count: aside.messages.length },
  };
}

/** Returns the same state as `events.reduce(evolve, start)`, at a constant cost for each event. */
export function fold(events: readonly SessionEvent[], start: SessionState): SessionState {
  if (events.length <= minEvents) return events.reduce(evolve, start);
  const { add, getState } = createFold(start);
  events.forEach(add);
  return getState();
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
