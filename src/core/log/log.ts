import type { Observable } from 'rxjs';
import { createEmitter } from '../emitter.ts';
import type { Ports } from '../ports.ts';
import { add } from './coalesce.ts';
import { current } from './current.ts';
import { type EventBody, eventVersion, isDelta, isTransient, type SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { createPace } from './pace.ts';
import type { SessionState } from './state.ts';

/** One session's log: takes what happened, folds it, tells everybody. */
export interface Log {
  append(body: EventBody): SessionEvent;
  /** Takes in what another tab has stored: events above the last one here. */
  accept(events: readonly SessionEvent[]): void;
  /** Begins again from what is stored, and tells its news; what was appended here and did not get there is forgotten. */
  reset(state: SessionState, news: readonly SessionEvent[]): void;
  /** Never stale. */
  getState(): SessionState;
  /** Every event from now on, at once and in order. */
  readonly events$: Observable<SessionEvent>;
  /** A view of the state: its current value, then each new one (by `===`); while text streams at most once a frame: see `createPace`. */
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
  /** Deltas that are not folded yet, joined: a token costs a push, a frame costs a fold. */
  let pending: SessionEvent[] = [];
  const events = createEmitter<SessionEvent>();
  const changes = createEmitter<void>();
  const outbox: SessionEvent[] = [];
  let publishing = false;
  const { want, done } = createPace(ports, () => changes.next(), pace);

  function settle(): SessionState {
    state = pending.reduce(evolve, state);
    pending = [];
    return state;
  }

  function tellViews(): void {
    done();
    changes.next();
  }

  function tell(event: SessionEvent): void {
    events.next(event);
    if (isDelta(event) || isTransient(event)) want();
    else tellViews();
  }

  /** A subscriber may append while it is being told: everybody still hears everything in one order. */
  function publish(event: SessionEvent): void {
    if (publishing) {
      outbox.push(event);
      return;
    }
    publishing = true;
    for (let next: SessionEvent | undefined = event; next !== undefined; next = outbox.shift()) tell(next);
    publishing = false;
  }

  return {
    append(body) {
      const isKept = !isTransient(body);
      if (isKept) seq++;
      const event: SessionEvent = { ...body, seq, at: ports.now(), v: eventVersion };
      add(pending, event);
      if (!isDelta(event)) settle();
      if (isKept) record(event);
      publish(event);
      return event;
    },
    accept(stored) {
      settle();
      for (const event of stored) {
        state = evolve(state, event);
        seq = event.seq;
        publish(event);
      }
    },
    reset(stored, news) {
      pending = [];
      state = stored;
      seq = stored.seq;
      for (const event of news) publish(event);
      tellViews();
    },
    getState: settle,
    events$: events.stream$,
    view: (select) => current(changes.stream$, () => select(settle())),
    close() {
      tellViews();
      events.complete();
      changes.complete();
    },
  };
}
