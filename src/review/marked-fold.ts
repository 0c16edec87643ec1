import type { SessionEvent } from '../core/model/event.ts';
import { evolve } from '../core/model/evolve.ts';
import { idsOf, type Message } from '../core/model/message.ts';
import { needsAll, restOf } from '../core/model/folding.ts';
import type { SessionState } from '../core/model/state.ts';

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

/** A `fold` of the model, event by event, that can be continued from marks. */
export interface MarkedFold {
  add(event: SessionEvent): void;
  /** Returns the state so far: the same as `events.reduce(evolve, start)`. */
  getState(): SessionState;
  getMark(): FoldMark;
}

const nothing = (): Aside => ({ messages: [], places: new Map() });

/** Creates a fold that continues from a mark, or from a state. */
export function createMarkedFold(start: SessionState | FoldMark): MarkedFold {
  let { state, aside: before, count } = 'aside' in start ? start : { state: start, aside: nothing(), count: 0 };
  let aside = nothing();

  const all = (): SessionState => ({
    ...state,
    messages: [...before.messages.slice(0, count), ...aside.messages, ...state.messages],
  });
  const isAside = (id: string): boolean => (before.places.get(id) ?? count) < count || aside.places.has(id);

  /** Forgets what is aside, without a change of what marks share. */
  function clear(): void {
    before = aside = nothing();
    count = 0;
  }

  return {
    add(event) {
      if (needsAll(event, state, { has: isAside })) {
        state = all();
        clear();
      }
      state = evolve(state, event);
      // Invariant: the newest message is not aside. The event may have removed the messages after it: a reply without content.
      if (state.messages.length === 0) {
        state = all();
        clear();
      }
      const rest = restOf(state);
      for (const message of rest) {
        const place = aside.messages.push(message) - 1;
        for (const id of idsOf(message)) if (!aside.places.has(id)) aside.places.set(id, place);
      }
      if (rest.length > 0) state = { ...state, messages: state.messages.slice(rest.length) };
    },
    getState: all,
    // A fold that continues from a mark has two lists of messages: the mark of such a fold needs one.
    getMark: () =>
      count > 0 ? { state: all(), aside: nothing(), count: 0 } : { state, aside, count: aside.messages.length },
  };
}
