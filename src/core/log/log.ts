import type { Observable } from 'rxjs';
import { createEmitter } from '../emitter.ts';
import type { Ports } from '../ports.ts';
import { add } from '../model/coalesce.ts';
import { current } from './current.ts';
import { type EventBody, eventVersion, isDelta, isTransient, type SessionEvent } from '../model/event.ts';
import { evolve } from '../model/evolve.ts';
import { fold } from '../model/replay.ts';
import { createFramePacer } from './frame-pacer.ts';
import { openRun, type SessionState } from '../model/state.ts';

/** After these a run goes on by itself, mostly within the same turn: they are shown together with what follows. */
const unhurried = ['call.requested', 'call.started', 'call.progress', 'reply.ended'];

/** One session's log: takes what happened, folds it, tells everybody. */
export interface Log {
  /** @param later the views are told at the end of this turn, unless something else tells them before */
  append(body: EventBody, later?: boolean): SessionEvent;
  /** Takes in what another tab has stored: events above the last one here. */
  accept(events: readonly SessionEvent[]): void;
  /** Begins again from what is stored, and tells its news; what was appended here and did not get there is forgotten. */
  reset(state: SessionState, news: readonly SessionEvent[]): void;
  /** Never stale. */
  getState(): SessionState;
  /** Whether a run has begun and not ended. */
  isRunOpen(): boolean;
  /** Whether there is such a message; costs the same however many there are. */
  hasMessage(id: string): boolean;
  /** Every event from now on, at once and in order. */
  readonly events$: Observable<SessionEvent>;
  /** A view of the state: its current value, then each new one (by `===`); while a reply streams at most once a frame: see `createPace`. */
  view<T>(select: (state: SessionState) => T): Observable<T>;
  /** Tells the views what is new and ends them. */
  close(): void;
}

/**
 * @param record is handed each event before anybody is told of it, to write it down
 * @param pace see `AgentOptions.pace`
 */
export function createLog(
  start: SessionState,
  ports: Pick<Ports, 'now' | 'frame' | 'delay'>,
  record: (event: SessionEvent) => void,
  pace?: number,
): Log {
  let state = start;
  let { seq } = start;
  /** Deltas that are not folded yet, joined, and messages: a token costs a push, a frame costs a fold. */
  let pending: SessionEvent[] = [];
  /** Ids of the messages, those that are pending included, as of the last fold that `hasMessage` has seen. */
  let ids: Set<string> | undefined;
  /** Whether the views have not been told of everything. */
  let isOwed = false;
  const events = createEmitter<SessionEvent>();
  const changes = createEmitter<void>();
  const outbox: (() => void)[] = [];
  let publishing = false;
  const { want, done } = createFramePacer(ports, () => changes.next(), pace);

  function settle(): SessionState {
    if (pending.length > 0) {
      state = fold(pending, state);
      pending = [];
      ids = undefined;
    }
    return state;
  }

  function tellViews(): void {
    isOwed = false;
    done();
    changes.next();
  }

  function tellLater(): void {
    if (isOwed) return;
    isOwed = true;
    queueMicrotask(() => {
      if (isOwed) tellViews();
    });
  }

  function tell(event: SessionEvent, later: boolean): void {
    events.next(event);
    if (isDelta(event)) want(event.text.length);
    else if (unhurried.includes(event.type)) want(0);
    else if (later) tellLater();
    else tellViews();
  }

  /** A subscriber may append while it is being told: everybody still hears everything in one order. */
  function publish(event: SessionEvent, later = false): void {
    if (publishing) {
      outbox.push(() => tell(event, later));
      return;
    }
    publishing = true;
    tell(event, later);
    for (let next = outbox.shift(); next !== undefined; next = outbox.shift()) next();
    publishing = false;
  }

  return {
    append(body, later) {
      const isKept = !isTransient(body);
      if (isKept) seq++;
      const event: SessionEvent = { ...body, seq, at: ports.now(), v: eventVersion };
      add(pending, event);
      if (event.type === 'message.added') ids?.add(event.message.id);
      else if (!isDelta(event)) settle();
      if (isKept) record(event);
      publish(event, later);
      return event;
    },
    accept(stored) {
      settle();
      for (const event of stored) {
        state = evolve(state, event);
        seq = event.seq;
        ids = undefined;
        publish(event);
      }
    },
    reset(stored, news) {
      pending = [];
      ids = undefined;
      state = stored;
      seq = stored.seq;
      for (const event of news) publish(event);
      tellViews();
    },
    getState: settle,
    // What is pending neither begins nor ends one.
    isRunOpen: () => openRun(state) !== undefined,
    hasMessage: (id) => (ids ??= new Set(settle().messages.map((message) => message.id))).has(id),
    events$: events.stream$,
    view: (select) => current(changes.stream$, () => select(settle())),
    close() {
      tellViews();
      events.complete();
      changes.complete();
    },
  };
}
