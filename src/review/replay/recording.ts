import { type DeltaEvent, isDelta, type SessionEvent } from '../../core/model/event.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { Message } from '../../core/model/message.ts';
import { isSameJson } from './differences.ts';
import { idsOf, isSameFact, isSamePart, providerOf } from './event-content.ts';

/** The recorded log during a replay: which event the session has to repeat next. */
export interface Recording {
  /** The next recorded event; `undefined` at the end. */
  next(): SessionEvent | undefined;
  /** The next recorded event that belongs to the agent's own work: concurrent events are skipped. */
  upcoming(): SessionEvent | undefined;
  /** The recorded event after the next one. */
  afterNext(): SessionEvent | undefined;
  /** All recorded events that have not been repeated, from the next one on. */
  ahead(): Iterable<SessionEvent>;
  /**
   * Whether another call of the step starts first. The order in which calls start is an input, as the time is: a call starts when the decision
   * on it is stored.
   */
  isHeld(callId: string): boolean;
  /** A concurrent event that the session has to repeat although later events have been repeated. */
  late(): SessionEvent | undefined;
  /** Takes an event of the replayed session. Returns whether it is the next recorded one, or its next piece. */
  accept(event: SessionEvent): boolean;
  /** Resolves when the next recorded event of the agent's own work is one of these; returns `undefined` if it is one already. */
  until(isNext: (event: SessionEvent) => boolean): Promise<void> | undefined;
  /** The time in the replay: that of the next recorded event. */
  now(): number;
  /** Returns the next id that the log introduces. */
  id(): string;
  /**
   * Calls `work`, in which the session records this event.
   *
   * @param message the message that is written meanwhile: the clock shows its time first, and its id is the next one
   */
  during<T>(event: SessionEvent, message: Message | undefined, work: () => T): T;
  /** Takes back the ids that were given out for events that were not recorded: the page that asked for them is gone. */
  takeBackIds(): void;
}

export function createRecording(events: readonly SessionEvent[]): Recording {
  let position = 0;
  /** Characters of the next recorded delta that have been repeated. */
  let consumed = 0;
  let idPosition = 0;
  let newIds = 0;
  /** The time and the id of the message that is being written. */
  let stamp: number | undefined;
  let ownId: string | undefined;
  const ids = new Set<string>();
  /** Ids that were given out and are in no event yet. */
  const given = new Set<string>();
  const late: SessionEvent[] = [];
  const waiting = new Set<() => void>();
  let performing: SessionEvent | undefined;

  const isBeside = (event: SessionEvent | undefined): boolean => event !== undefined && isConcurrent(event);

  function upcomingIndex(): number {
    let index = position;
    while (isBeside(events[index])) index++;
    return index;
  }

  function advance(): void {
    position++;
    consumed = 0;
    lookAgain();
  }

  /** Resolves the promises whose event is the next one now. */
  function lookAgain(): void {
    for (const look of waiting) look();
  }

  function learn(event: SessionEvent): void {
    for (const id of idsOf(event)) ids.add(id);
  }

  /** Takes a delta, which may be a part of a recorded one or span several. */
  function acceptDelta(delta: DeltaEvent): boolean {
    let { text } = delta;
    for (;;) {
      const wanted = events[position];
      if (wanted === undefined || !isDelta(wanted) || !isSamePart(wanted, delta)) return false;
      const piece = text.slice(0, wanted.text.length - consumed);
      if (!wanted.text.startsWith(piece, consumed)) return false;
      consumed += piece.length;
      text = text.slice(piece.length);
      const provider = providerOf(wanted);
      learn(wanted);
      const isWhole =
        consumed === wanted.text.length && isSameJson(provider, text === '' ? providerOf(delta) : undefined);
      if (isWhole) advance();
      if (text === '') return isWhole || providerOf(delta) === undefined;
      if (!isWhole) return false;
    }
  }

  const endsStep: ReadonlySet<string> = new Set<SessionEvent['type']>(['reply.started', 'run.started', 'run.ended']);

  return {
    isHeld(callId) {
      for (let index = position, event = events[index]; event !== undefined; event = events[++index]) {
        if (event.type === 'call.started') return event.callId !== callId;
        if (endsStep.has(event.type)) return false;
      }
      return false;
    },
    next: () => events[position],
    upcoming: () => events[upcomingIndex()],
    afterNext: () => events[position + 1],
    *ahead() {
      for (let index = position, event = events[index]; event !== undefined; event = events[++index]) yield event;
    },
    late: () => late[0],
    accept(event) {
      if (late[0] !== undefined && isSameFact(late[0], event)) {
        late.shift();
        learn(event);
        // A message of the queue becomes an event of the agent once the session has it.
        lookAgain();
        return true;
      }
      const index = isBeside(event) ? position : upcomingIndex();
      while (position < index) {
        const skipped = events[position];
        if (skipped) late.push(skipped);
        advance();
      }
      if (isDelta(event)) return acceptDelta(event);
      const wanted = events[position];
      if (wanted === undefined || consumed > 0 || !isSameFact(wanted, event)) return false;
      learn(event);
      advance();
      return true;
    },
    until(isNext) {
      const isThere = (): boolean => {
        const event = events[upcomingIndex()];
        return event !== undefined && isNext(event);
      };
      if (isThere()) return undefined;
      return new Promise((resolve) => {
        const look = (): void => {
          if (!isThere()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
      });
    },
    now() {
      if (stamp !== undefined) {
        const time = stamp;
        stamp = undefined;
        return time;
      }
      if (performing !== undefined && performing === late[0]) return performing.at;
      const event = events[position] ?? events.at(-1);
      return (event?.type === 'reasoning.delta' && consumed === 0 ? event.startedAt : undefined) ?? event?.at ?? 0;
    },
    id() {
      if (ownId !== undefined) {
        const id = ownId;
        ownId = undefined;
        return id;
      }
      for (idPosition = Math.max(idPosition, position); idPosition < events.length; idPosition++) {
        const event = events[idPosition];
        const id = event && !('message' in event) && idsOf(event).find((one) => !ids.has(one) && !given.has(one));
        if (!id) continue;
        given.add(id);
        return id;
      }
      return `replayed-${++newIds}`;
    },
    takeBackIds() {
      given.clear();
      idPosition = position;
    },
    during(event, message, work) {
      performing = event;
      stamp = message?.timestamp;
      ownId = message?.id;
      try {
        return work();
      } finally {
        performing = stamp = ownId = undefined;
      }
    },
  };
}
