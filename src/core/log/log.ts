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
import { urgency } from '../model/urgency.ts';

/** One session's log: appends events, folds them into the state, notifies subscribers. */
export interface Log {
  append(body: EventBody): SessionEvent;
  /** Calls `work`, and notifies the views once of all that it appended. */
  batch<T>(work: () => T): T;
  /** Adds what another tab has stored: events above the last one here. */
  accept(events: readonly SessionEvent[]): void;
  /** Begins again from a stored state, and publishes its new events; what was appended here and did not get there is forgotten. */
  reset(state: SessionState, news: readonly SessionEvent[]): void;
  /** Never stale. */
  getState(): SessionState;
  /** Whether a run has begun and not ended. */
  isRunOpen(): boolean;
  /** Whether there is such a message; costs the same however many there are. */
  hasMessage(id: string): boolean;
  /** Every event from now on, at once and in order. */
  readonly events$: Observable<SessionEvent>;
  /** A view of the state: its current value, then each new one (by `===`), as soon as `urgency` has it. */
  view<T>(select: (state: SessionState) => T): Observable<T>;
  /**
   * The same, looked at once at the end of a turn. For what no person sees: a history that is added message by message is then
   * folded once a turn.
   */
  viewTurns<T>(select: (state: SessionState) => T): Observable<T>;
  /** Notifies the views of what is new and ends them. */
  close(): void;
}

/**
 * @param record is handed each event before subscribers are notified of it, to write it down
 * @param throttle see `AgentOptions.throttle`
 */
export function createLog(
  start: SessionState,
  ports: Pick<Ports, 'now' | 'frame' | 'delay'>,
  record: (event: SessionEvent) => void,
  throttle?: number,
): Log {
  let state = start;
  let { seq } = start;
  /** Deltas that are not folded yet, joined, and messages: a token costs a push, a frame costs a fold. */
  let pending: SessionEvent[] = [];
  /** Ids of the messages, those that are pending included, as of the last fold that `hasMessage` has seen. */
  let ids: Set<string> | undefined;
  /** Batches under way. */
  let batches = 0;
  /** Whether the views have to be notified when the batch ends. */
  let isOwed = false;
  let isTurnOpen = false;
  const events = createEmitter<SessionEvent>();
  const changes = createEmitter<void>();
  const turns = createEmitter<void>();
  const outbox: SessionEvent[] = [];
  let publishing = false;
  const { want, done } = createFramePacer(ports, () => changes.next(), throttle);

  function settle(): SessionState {
    if (pending.length > 0) {
      state = fold(pending, state);
      pending = [];
      ids = undefined;
    }
    return state;
  }

  function notifyViews(): void {
    isOwed = false;
    done();
    changes.next();
  }

  function endTurnSoon(): void {
    if (isTurnOpen) return;
    isTurnOpen = true;
    queueMicrotask(() => {
      isTurnOpen = false;
      turns.next();
    });
  }

  function notify(event: SessionEvent): void {
    events.next(event);
    if (isDelta(event)) return want(event.text.length);
    endTurnSoon();
    if (urgency[event.type] === 'frame') want(0);
    else if (batches > 0) isOwed = true;
    else notifyViews();
  }

  /** A subscriber may append while it is being notified: all subscribers still receive everything in one order. */
  function publish(event: SessionEvent): void {
    if (publishing) {
      outbox.push(event);
      return;
    }
    publishing = true;
    notify(event);
    for (let next = outbox.shift(); next !== undefined; next = outbox.shift()) notify(next);
    publishing = false;
  }

  return {
    append(body) {
      const isKept = !isTransient(body);
      if (isKept) seq++;
      const event: SessionEvent = { ...body, seq, at: ports.now(), v: eventVersion };
      add(pending, event);
      if (event.type === 'message.added') ids?.add(event.message.id);
      else if (!isDelta(event)) settle();
      if (isKept) record(event);
      publish(event);
      return event;
    },
    batch(work) {
      batches++;
      try {
        return work();
      } finally {
        batches--;
        if (batches === 0 && isOwed) notifyViews();
      }
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
      endTurnSoon();
      notifyViews();
    },
    getState: settle,
    // What is pending neither begins nor ends one.
    isRunOpen: () => openRun(state) !== undefined,
    hasMessage: (id) => (ids ??= new Set(settle().messages.map((message) => message.id))).has(id),
    events$: events.stream$,
    view: (select) => current(changes.stream$, () => select(settle())),
    viewTurns: (select) => current(turns.stream$, () => select(settle())),
    close() {
      notifyViews();
      events.complete();
      changes.complete();
      turns.complete();
    },
  };
}
